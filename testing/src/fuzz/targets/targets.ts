import type { Target } from '../target.ts';
import { dna } from './dna.ts';
import { form } from './form.ts';
import { frames } from './frames.ts';
import { headers } from './headers.ts';
import { json } from './json.ts';
import { multipart } from './multipart.ts';
import { profiles } from './profiles.ts';
import { store } from './store.ts';
import { windows } from './windows.ts';

export const targets: readonly Target[] = [dna, form, frames, headers, json, multipart, profiles, store, windows];
