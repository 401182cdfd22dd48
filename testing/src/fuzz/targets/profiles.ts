import assert from 'node:assert/strict';
import {
  networkSpecOf,
  openNetwork,
  openProfile,
  ProfileError,
  shippedProfiles,
  writeNetwork,
  writeProfile,
} from '@sosia/engine';
import { isNetwork } from '@sosia/engine';
import { crc32c } from '@sosia/engine/dna/crc32c';
import { onnxFile } from '@sosia/engine/classify/onnx-file.test.kit';
import { redOrBlue } from '@sosia/fixtures';
import type { Random } from '../../pictures/random.ts';
import { oneOf } from '../../pictures/random.ts';
import { mutated } from '../mutate.ts';
import type { Target } from '../target.ts';

const words = [
  '"width":',
  '"labels":',
  '"positive":',
  '["a","b"]',
  '[0,0,0]',
  '1e999',
  'null',
  '{}',
  '"crop"',
  '__proto__',
  '0.5',
  '\ufeff',
  ' ',
];

/** Blocks of profiles and of networks, which `sosia profile import` and the data folder bring: only canonical ones are read. */
export const profiles: Target = {
  name: 'profiles',
  covers: /engine\/dist\/src\/classify\/(profile|network)\.js$/,
  limit: 1000,

  async open() {
    const model = onnxFile(redOrBlue());
    const spec = networkSpecOf({ labels: ['red', 'blue'], positive: ['red'], output: 'logits', width: 32, height: 32 });
    const seeds = [
      ...shippedProfiles().map(writeProfile),
      writeNetwork({ name: 'red', spec, model }),
      writeNetwork({ name: 'one', spec: networkSpecOf({ labels: ['one'] }), model: new Uint8Array() }),
    ];
    return { seeds, mutate, run };
  },
};

function run(input: Uint8Array): string {
  const block = Uint8Array.from(input);
  try {
    const again = isNetwork(block) ? writeNetwork(openNetwork(block)) : writeProfile(openProfile(block));
    assert.ok(
      Buffer.compare(again, block) === 0,
      'expected a block that is accepted to be written again in the same bytes',
    );
    return 'accepted';
  } catch (cause) {
    if (!(cause instanceof ProfileError)) throw cause;
    return cause.message.replace(/\d+/g, '#').slice(0, 50);
  }
}

/** Changes where the block is not a long row of weights, and makes lengths and checksum right again. */
function mutate(input: Uint8Array, random: Random, others: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.from(input);
  if (bytes.length < 16) return mutated(input, random, others, { longest: 60_000, words });
  const end = bytes.length - 4;
  let changed: Uint8Array;
  if (bytes.toString('latin1', 0, 4) === 'SNET') {
    const [name, spec] = [bytes[5]!, bytes.readUInt16LE(6)];
    const pieces: Buffer[] = [
      bytes.subarray(8, 8 + name),
      bytes.subarray(8 + name, 8 + name + spec),
      bytes.subarray(8 + name + spec, end),
    ];
    const i = oneOf(random, [0, 1, 1, 1, 2]);
    const most = { longest: i === 0 ? 100 : 2000, words };
    pieces[i] = random() < 0.3 ? another(pieces[i]!, random) : Buffer.from(mutated(pieces[i]!, random, pieces, most));
    const header = Buffer.from(bytes.subarray(0, 8));
    header[5] = pieces[0]!.length;
    header.writeUInt16LE(pieces[1]!.length, 6);
    changed = Buffer.concat([header, ...pieces]);
  } else {
    const name = Math.min(bytes[5]!, end - 12);
    const old = bytes.subarray(end - name, end);
    const letters =
      random() < 0.3 ? another(old, random) : Buffer.from(mutated(old, random, [old], { longest: 255, words }));
    const header = Buffer.from(bytes.subarray(0, 12));
    if (random() < 0.8) header[5] = letters.length;
    const rest = Buffer.from(bytes.subarray(12, end - name));
    if (random() < 0.5 && rest.length >= 4)
      rest.writeFloatLE(oneOf(random, [NaN, Infinity, -0, 1e-45]), 4 * Math.floor(random() * (rest.length / 4 - 1)));
    changed = Buffer.concat([header, rest, letters]);
  }
  if (random() < 0.1) changed = Buffer.from(mutated(changed, random, others, { longest: 60_000, words }));
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(random() < 0.95 ? crc32c(changed) : 0);
  return Buffer.concat([changed, sum]);
}

/** Text that means the same to a lenient reader: with a byte order mark, a broken character, other spaces or numbers. */
function another(text: Buffer, random: Random): Buffer {
  const letters = text.toString('latin1');
  return Buffer.from(
    oneOf(random, [
      () => `\xef\xbb\xbf${letters}`,
      () => letters.replace(/[,:}]/g, (mark) => (random() < 0.2 ? ` ${mark}` : mark)),
      () => letters.replace(/\d+/g, (digits) => (random() < 0.2 ? `${digits}.0` : digits)),
      () => letters.replace(/[a-z]/g, (letter) => (random() < 0.05 ? '\xc3' : letter)),
      () =>
        letters.replace(/"([a-z])/g, (quoted, letter: string) =>
          random() < 0.1 ? `"\\u00${letter.charCodeAt(0).toString(16)}` : quoted,
        ),
    ])(),
    'latin1',
  );
}
