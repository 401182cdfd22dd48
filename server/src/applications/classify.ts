import { NETWORK_SIDES, profileScoreOf } from '@sosia/engine';
import { fail } from '../errors.ts';
import type { Application, Dependencies } from './application.ts';

/** How well a picture file fits each profile of an application: positive where it does. Fails with NO_PROFILES. */
export async function classify(
  content: Uint8Array,
  application: Application,
  { decoder, onnx, profiles }: Dependencies,
): Promise<Record<string, number>> {
  const { number, profiles: names = [] } = application.record;
  const found = await profiles.named(names);
  if (found.length === 0)
    throw fail('NO_PROFILES', names.length > 0 ? `none of ${names.join(', ')} exists` : 'it lists none');

  // each of the two is made once, and only if a profile needs it
  const dna = found.some((profile) => 'weights' in profile) ? await application.describe(content, 'query') : undefined;
  const picture = found.some((profile) => 'mark' in profile)
    ? await decoder.decode(content, NETWORK_SIDES.most, number)
    : undefined;
  const scores: [string, number][] = [];
  for (const profile of found) {
    const score = 'weights' in profile ? profileScoreOf(profile, dna!) : await onnx.score(profile, picture!, number);
    scores.push([profile.name, score]);
  }
  return Object.fromEntries(scores);
}
