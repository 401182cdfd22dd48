import { once } from 'node:events';
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import type { Writable } from 'node:stream';

/** Writes a file that appears once it is complete. */
export async function writeWhole<T>(file: string, write: (out: Writable) => Promise<T>): Promise<T> {
  const unfinished = `${file}.unfinished`;
  const out = createWriteStream(unfinished);
  try {
    await once(out, 'open');
    const done = await write(out);
    out.end();
    await once(out, 'finish');
    renameSync(unfinished, file);
    return done;
  } catch (cause) {
    out.destroy();
    rmSync(unfinished, { force: true });
    throw cause;
  }
}
