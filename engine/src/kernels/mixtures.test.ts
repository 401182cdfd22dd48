import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Columns, mixture as twin } from '../../test/oracles/mixtures.ts';
import { mixture, paletteEntry, FLOATS_OFFSET } from '../color/palette-entry.ts';
import { type Color, MAX_COLORS } from '../dna/palette.ts';
import { Workspace } from './workspace.ts';

function apart(query: readonly Color[], held: readonly Color[]): number {
  return scores(query, [held], [0])[0];
}

function scores(query: readonly Color[], entries: readonly (readonly Color[])[], slots: readonly number[]): number[] {
  const workspace = new Workspace();
  const { kernels } = workspace;
  const put = (colors: readonly Color[]): number => {
    const at = workspace.put(paletteEntry(colors));
    kernels.measureMixture(at);
    return at;
  };
  const searched = put(query);
  const [block] = entries.map(put);
  const places = workspace.put(Uint32Array.from(slots));
  const out = workspace.take(8 * slots.length);
  mixture.kernel(kernels, block, places, slots.length, searched, 1, out);
  return [...workspace.doubles(out, slots.length)];
}

/** The product of an entry with itself. */
function lengthOf(colors: readonly Color[]): number {
  const workspace = new Workspace();
  const at = workspace.put(paletteEntry(colors));
  workspace.kernels.measureMixture(at);
  return workspace.doubles(at, 2)[1];
}

function columnsOf(colors: readonly Color[]): Columns {
  const floats = new Float32Array(paletteEntry(colors).buffer);
  const column = (k: number): number[] => {
    const start = FLOATS_OFFSET + MAX_COLORS * k;
    return [...floats.subarray(start, start + colors.length)];
  };
  return [column(0), column(1), column(2), column(3)];
}

const palette = fc.uniqueArray(fc.record({ rgb: fc.nat(0xffffff), share: fc.integer({ min: 1, max: 100 }) }), {
  minLength: 1,
  maxLength: 16,
  selector: ({ rgb }) => rgb,
});

test('0 for the same palette, the same both ways, and never outside', () => {
  fc.assert(
    fc.property(palette, palette, (one, other) => {
      assert.equal(apart(one, one), 0);
      const d = apart(one, other);
      assert.ok(d >= 0 && d <= 1, `${d}`);
      assert.ok(Math.abs(d - apart(other, one)) < 1e-6);
    }),
  );
});

test('1 where no colour of one is near one of the other', () => {
  assert.equal(apart([{ rgb: 0xff0000, share: 100 }], [{ rgb: 0x0000ff, share: 100 }]), 1);
});

test('the kernel equals its twin, bit for bit, for any choice of entries', () => {
  const entries = fc.array(palette, { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(palette, entries, fc.array(fc.nat(3), { minLength: 1 }), (query, entries, slots) => {
      const expected = slots.map((slot) => twin(columnsOf(query), columnsOf(entries[slot])));
      assert.deepEqual(scores(query, entries, slots), expected);
    }),
  );
});

test('a colour split into two shades costs little, another colour or another share much', () => {
  const whole: Color[] = [
    { rgb: 0x808060, share: 60 },
    { rgb: 0x203050, share: 40 },
  ];
  const split: Color[] = [
    { rgb: 0x8c8c6c, share: 30 },
    { rgb: 0x747454, share: 30 },
    { rgb: 0x203050, share: 40 },
  ];
  const blue: Color[] = [
    { rgb: 0x6070a0, share: 60 },
    { rgb: 0x203050, share: 40 },
  ];
  const less: Color[] = [
    { rgb: 0x808060, share: 40 },
    { rgb: 0x203050, share: 60 },
  ];
  assert.ok(apart(whole, split) < apart(whole, blue) / 5, `${apart(whole, split)}, ${apart(whole, blue)}`);
  assert.ok(apart(whole, split) < apart(whole, less) / 2, `${apart(whole, split)}, ${apart(whole, less)}`);
});

test('it is a distance: no way round is shorter', () => {
  const scaled = (one: readonly Color[], other: readonly Color[]): number => {
    return apart(one, other) * Math.sqrt(lengthOf(one) + lengthOf(other));
  };
  fc.assert(
    fc.property(palette, palette, palette, (a, b, c) => {
      assert.ok(scaled(a, c) <= scaled(a, b) + scaled(b, c) + 1e-6);
    }),
  );
});
