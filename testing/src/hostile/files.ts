import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { corporaFolder } from '../pictures/corpus.ts';

/** A file made to harm a decoder, or to test one. */
export interface HostileFile {
  readonly name: string;
  readonly content: Uint8Array;
  /** What must become of it; null where both will do, as long as there is a clean answer. */
  readonly expected: 'accept' | 'reject' | null;
}

/** The files of the folders `hostile` and `decoders` of the corpora; null when one is absent. */
export function hostileFiles(): HostileFile[] | null {
  const hostile = join(corporaFolder, 'hostile');
  const decoders = join(corporaFolder, 'decoders');
  if (!existsSync(hostile) || !existsSync(decoders)) return null;

  const words = JSON.parse(readFileSync(join(hostile, 'expected.json'), 'utf8')) as Record<string, { expect: string }>;
  const made = Object.entries(words).map(([name, { expect }]) => ({
    name: `hostile/${name}`,
    expected: inOneWord(expect),
  }));
  const collected = readdirSync(decoders, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(corporaFolder.length))
    .sort()
    .map((name) => ({ name, expected: expectedOfSuite(name) }));
  return [...made, ...collected].map((file) => ({ ...file, content: readFileSync(join(corporaFolder, file.name)) }));
}

function inOneWord(expect: string): HostileFile['expected'] {
  if (/^(accept|reject) or /.test(expect)) return null;
  if (/^(accept|valid)/.test(expect)) return 'accept';
  return expect.startsWith('reject') ? 'reject' : null;
}

/** PngSuite says by the first letter which of its files are broken. */
function expectedOfSuite(name: string): HostileFile['expected'] {
  const file = /pngsuite\/.*?([^/])[^/]*\.png$/.exec(name);
  if (!file) return null;
  return file[1] === 'x' ? 'reject' : 'accept';
}
