import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Color } from '../dna/palette.ts';
import { placesOf } from './color-distance.ts';
import { lengthOf, MixtureDistance } from './mixture-distance.ts';

function apart(query: readonly Color[], held: readonly Color[]): number {
  const places = placesOf(held);
  return new MixtureDistance(query).to(places, 0, held.length, lengthOf(places, 0, held.length));
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

test('only the colours of the query count, wherever they lie', () => {
  const held: Color[] = [
    { rgb: 0xff0000, share: 60 },
    { rgb: 0x20a040, share: 40 },
  ];
  const places = placesOf([{ rgb: 0x0000ff, share: 100 }, ...held, { rgb: 0xffffff, share: 100 }]);
  assert.equal(new MixtureDistance(held).to(places, 4, 2, lengthOf(places, 4, 2)), 0);
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
    const [f, g] = [placesOf(one), placesOf(other)];
    return apart(one, other) * Math.sqrt(lengthOf(f, 0, one.length) + lengthOf(g, 0, other.length));
  };
  fc.assert(
    fc.property(palette, palette, palette, (a, b, c) => {
      assert.ok(scaled(a, c) <= scaled(a, b) + scaled(b, c) + 1e-6);
    }),
  );
});
