import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blankMiniature, type Content, contents, coreOf, featuresOf } from '../../test/local-dna.ts';
import { DnaError } from '../errors.ts';
import { crc32c } from './crc32c.ts';
import { packMiniature } from './miniature.ts';
import {
  coreFeaturesOf,
  type Feature,
  type LocalDna,
  type LocalKind,
  localKinds,
  openLocalDna,
  writeLocalDna,
} from './local.ts';

const references: readonly LocalKind[] = localKinds.filter((kind) => kind.endsWith('reference'));
const queries: readonly LocalKind[] = localKinds.filter((kind) => kind.endsWith('query'));

const write = ({ kind, width, height, features, miniature }: Content): Uint8Array =>
  writeLocalDna(kind, width, height, features, miniature);
const open = (block: Uint8Array): LocalDna => openLocalDna(block, localKinds);

/** A block with some bytes changed and a checksum that fits again. */
function forged(block: Uint8Array, change: (bytes: Uint8Array, view: DataView) => void): Uint8Array {
  const bytes = block.slice();
  const view = new DataView(bytes.buffer);
  change(bytes, view);
  view.setUint32(bytes.length - 4, crc32c(bytes.subarray(0, -4)), true);
  return bytes;
}

const at = (x: number, y: number, level: number, angle = 0, core = true): Feature => {
  return { core, x, y, level, angle, code: new Uint8Array(32).fill(x) };
};
const cells = packMiniature(
  { width: 48, height: 29 },
  Float32Array.from({ length: 48 * 29 }, (_, i) => i % 7),
);
const core = [at(3, 4, 0), at(200.5, 100, 0), at(9, 8, 2, 77)];
const reference = writeLocalDna('media-reference', 1000, 600, core, cells);
const rest = [at(5, 5, -2, 1, false), at(6, 5, -2, 1, false)];
const query = writeLocalDna('media-query', 1000, 600, [...core, ...rest], cells);
const CELLS_BYTES = 696; // of both
const KEYPOINTS_OFFSET = 16 + 32 * 3; // of the reference; six bytes each, in order of (level, y, x, angle)

test('a block holds what was written, to 1/64 pixel, in one order', () => {
  fc.assert(
    fc.property(contents(localKinds), (content) => {
      const dna = open(write(content));
      assert.deepEqual(
        [dna.kind, dna.originalWidth, dna.originalHeight, dna.miniature],
        [content.kind, content.width, content.height, content.miniature],
      );
      const key = ({ core, level, y, x, angle }: Feature): number[] => [core ? 0 : 1, level, y, x, angle];
      const wanted = [...new Set(content.features.map((feature) => JSON.stringify(key(feature))))].map((text) =>
        JSON.parse(text),
      );
      const found = featuresOf(dna).map(key);
      const rising = (a: number[], b: number[]): number => a.map((v, i) => v - b[i]).find((off) => off !== 0) ?? 0;
      assert.deepEqual(found, wanted.sort(rising));
      for (const feature of featuresOf(dna)) {
        const same = content.features.filter((other) => rising(key(other), key(feature)) === 0);
        assert.ok(same.some(({ code }) => Buffer.compare(code, feature.code) === 0));
      }
    }),
  );
});

test('the order of the features makes no difference, not even of two at one place', () => {
  fc.assert(
    fc.property(
      contents(localKinds),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.nat(),
      (content, code, seed) => {
        const features = [...content.features, { ...content.features[0], code }];
        const block = write({ ...content, features });
        const moved = features.map((_, i) => features[(i + seed) % features.length]);
        assert.deepEqual(write({ ...content, features: moved }), block);
        assert.deepEqual(write({ ...content, features: features.toReversed() }), block);
      },
    ),
  );
});

test('it is read wherever it lies in memory', () => {
  for (let offset = 0; offset < 9; offset++) {
    const pool = Buffer.alloc(query.length + 20, 0xaa);
    pool.set(query, offset);
    const dna = open(pool.subarray(offset, offset + query.length));
    assert.deepEqual(
      featuresOf(dna).map(({ x, y, level }) => [x, y, level]),
      [
        [3, 4, 0],
        [200.5, 100, 0],
        [9, 8, 2],
        [5, 5, -2],
        [6, 5, -2],
      ],
    );
    assert.deepEqual([dna.width, dna.height, dna.core], [512, 307, 3]);
  }
});

test('every flipped bit, every truncation and every longer block is refused', () => {
  for (const block of [reference, query]) {
    for (let bit = 0; bit < 8 * block.length; bit++) {
      const flipped = block.slice();
      flipped[bit >> 3] ^= 1 << (bit & 7);
      assert.throws(() => open(flipped), DnaError, `bit ${bit}`);
    }
    for (let length = 0; length < block.length; length++) assert.throws(() => open(block.slice(0, length)), DnaError);
    for (const more of [1, 4, 38, 70000]) {
      const longer = new Uint8Array(block.length + more);
      longer.set(block);
      assert.throws(() => open(longer), DnaError);
      assert.throws(() => open(forged(longer, () => {})), /expected \d+/);
    }
  }
});

test('what no writer writes is refused, and said', () => {
  const cases: [fault: RegExp, block: Uint8Array][] = [
    [/not a DNA/, forged(reference, (bytes) => (bytes[0] = 0xd8))],
    [/version 2, expected 1$/, forged(reference, (bytes) => (bytes[1] = 2))],
    [/version 0, expected 1$/, forged(reference, (bytes) => (bytes[1] = 0))],
    [/of 830 bytes, expected 926/, forged(reference, (_, view) => view.setUint16(10, 680, true))],
    [/kind 7, expected media-reference or/, forged(reference, (bytes) => (bytes[2] = 7))],
    [/unknown fields/, forged(reference, (bytes) => (bytes[3] = 1))],
    [/unknown fields/, forged(reference, (bytes) => (bytes[15] = 1))],
    [/without size/, forged(reference.slice(0, 134 + 24), (_, view) => view.setUint16(8, 0, true))],
    [/without size/, forged(reference.slice(0, 134 + 24), (_, view) => view.setUint16(10, 0, true))],
    [/of 826 bytes, expected 830/, forged(reference.slice(0, 826), () => {})],
    [/of 830 bytes, expected 868/, forged(reference, (_, view) => view.setUint16(4, 4, true))],
    [/of 830 bytes, expected 2491046/, forged(reference, (_, view) => view.setUint16(4, 0xffff, true))],
    [/3 features, 0 of them core/, forged(reference, (_, view) => view.setUint16(6, 0, true))],
    [/3 features, 4 of them core/, forged(reference, (_, view) => view.setUint16(6, 4, true))],
    [/0 features/, forged(reference.slice(0, 20 + CELLS_BYTES), (_, view) => view.setUint32(4, 0, true))],
    [
      /4097 features/,
      forged(new Uint8Array(20 + 38 * 4097 + CELLS_BYTES), (bytes, view) => {
        bytes.set(reference.subarray(0, 16));
        view.setUint16(4, 4097, true);
        view.setUint16(6, 4097, true);
      }),
    ],
    [/beyond its core/, forged(reference, (_, view) => view.setUint16(6, 2, true))],
    [
      /outside its picture: number 0/,
      forged(reference, (_, view) => view.setUint16(KEYPOINTS_OFFSET, 512 * 64 + 1, true)),
    ],
    [
      /outside its picture: number 2/,
      forged(reference, (_, view) => view.setUint16(KEYPOINTS_OFFSET + 14, 307 * 64 + 1, true)),
    ],
    [/level -1, .*number 0/, forged(reference, (bytes) => (bytes[KEYPOINTS_OFFSET + 5] = 15))],
    [/level 16, .*number 2/, forged(reference, (bytes) => (bytes[KEYPOINTS_OFFSET + 17] = 32))],
    [/level -1, .*number 0/, forged(query, (bytes) => (bytes[16 + 32 * 5 + 5] = 15))],
    [/level -4, .*number 3/, forged(query, (bytes) => (bytes[16 + 32 * 5 + 18 + 5] = 12))],
    [
      /out of order: number 1/,
      forged(reference, (bytes) => bytes.copyWithin(KEYPOINTS_OFFSET + 6, KEYPOINTS_OFFSET, KEYPOINTS_OFFSET + 6)),
    ],
    [/out of order: number 2/, forged(reference, (bytes) => (bytes[KEYPOINTS_OFFSET + 17] = 16))],
    [/out of order: number 4/, forged(query, (bytes) => bytes.copyWithin(200, 194, 200))],
  ];
  for (const [fault, block] of cases) {
    assert.throws(
      () => open(block),
      (error: Error) => error instanceof DnaError && fault.test(error.message),
      `${fault}`,
    );
  }
});

test('an unexpected kind is refused by name', () => {
  for (const kind of localKinds) {
    const block = writeLocalDna(kind, 300, 200, [at(3, 4, 0)], blankMiniature({ width: 300, height: 200 }));
    for (const other of localKinds) {
      if (other === kind) assert.equal(openLocalDna(block, [other]).kind, kind);
      else assert.throws(() => openLocalDna(block, [other]), new DnaError(`DNA of kind ${kind}, expected ${other}`));
    }
  }
});

test('of all forgeries with a good checksum, those accepted are what would have been written', () => {
  let [accepted, refused] = [0, 0];
  const forgery = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(contents(localKinds, 6), forgery, fc.boolean(), (content, changes, shallow) => {
      const block = forged(write(content), (bytes) => {
        const reach = shallow ? 20 : bytes.length - 4;
        for (const [place, value] of changes) bytes[place % reach] = value;
      });
      const dna = orRefused(block);
      if (!dna) {
        refused++;
        return;
      }
      accepted++;
      const { kind, originalWidth, originalHeight } = dna;
      const written = writeLocalDna(kind, originalWidth, originalHeight, featuresOf(dna), dna.miniature);
      assert.deepEqual(written, block);
    }),
    { numRuns: 2000 },
  );
  assert.ok(accepted > 100 && refused > 100, `${accepted} accepted, ${refused} refused`);
});

test('bytes of any kind are read or refused, never anything else', () => {
  const random = fc.uint8Array({ maxLength: 200, size: 'max' });
  const headed = random.map((bytes) => forged(Uint8Array.from([0xd7, 1, ...bytes, 0, 0, 0, 0]), () => {}));
  fc.assert(
    fc.property(fc.oneof(random, headed), (bytes) => void orRefused(bytes)),
    { numRuns: 2000 },
  );
});

test('the core of a query is the reference that has the same core features', () => {
  fc.assert(
    fc.property(contents(queries), (content) => {
      const dna = open(write(content));
      const kind = references[queries.indexOf(content.kind)];
      const core = write({ ...content, kind, features: content.features.filter(({ core }) => core) });
      assert.deepEqual(coreOf(dna), core);
      assert.deepEqual(coreOf(open(core)), core);
      const plain = write({ ...content, kind, features: featuresOf(open(core)), miniature: blankMiniature(content) });
      for (const each of [dna, open(core), open(plain)]) {
        const parts = Buffer.concat(coreFeaturesOf(each));
        assert.deepEqual(new Uint8Array(parts), plain.slice(0, parts.length));
        assert.equal(parts.length, 16 + 38 * dna.core);
      }
    }),
  );
});

function orRefused(bytes: Uint8Array): LocalDna | undefined {
  try {
    return open(bytes);
  } catch (error) {
    if (!(error instanceof DnaError)) throw error;
    return undefined;
  }
}
