import { embeddedBytes } from '../kernels/embedded.ts';
import { openProfile, type Profile } from './profile.ts';
import { profiles as base64 } from './profiles.generated.ts';

let read: readonly Profile[] | undefined;

/** The profiles that come with the engine; `training/README.md` names the pictures they were trained on. */
export function shippedProfiles(): readonly Profile[] {
  return (read ??= [...blocks(embeddedBytes(base64))].map(openProfile));
}

/** The blocks of data/profiles.bin, each after its length in 4 bytes. */
function* blocks(bytes: Uint8Array): Iterable<Uint8Array> {
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length;) {
    const length = view.getUint32(at, true);
    yield bytes.slice(at + 4, at + 4 + length);
    at += 4 + length;
  }
}
