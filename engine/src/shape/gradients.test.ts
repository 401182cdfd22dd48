import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stream } from '../../test/planted.ts';
import { EMBEDDING_GRID_SIDE } from '../color/grid.ts';
import type { Lab } from '../color/oklab.ts';
import { GRADIENT_LENGTH, gradients } from './gradients.ts';

const DIRECTION_COUNT = 8;
const CELLS_PER_SIDE = 6;

const drawn = (colour: (x: number, y: number) => Lab): Lab[] =>
  Array.from({ length: EMBEDDING_GRID_SIDE * EMBEDDING_GRID_SIDE }, (_, at) =>
    colour(at % EMBEDDING_GRID_SIDE, Math.floor(at / EMBEDDING_GRID_SIDE)),
  );

/** How much of all gradients runs in each direction. */
function directionsOf(values: Float64Array): number[] {
  const sums = new Array<number>(DIRECTION_COUNT).fill(0);
  values.forEach((value, i) => (sums[i % DIRECTION_COUNT] += value * value));
  return sums;
}

/** Patches of random colours: round ones may change equally in all directions at a corner, which then has none. */
const picture = fc.nat().map((seed) => {
  const random = stream(seed);
  const patches = Array.from({ length: 64 }, (): Lab => [random(), 0.4 * random() - 0.2, 0.4 * random() - 0.2]);
  return drawn((x, y) => patches[8 * Math.floor(y / 8) + Math.floor(x / 8)]);
});

test('a flat picture gives zeros', () => {
  assert.ok(gradients(drawn(() => [0.5, 0.1, 0])).every((value) => value === 0));
});

test('an upright edge runs in direction 0, a level one in 4, a slope of 45 degrees in 2', () => {
  const main = (colour: (x: number, y: number) => Lab): number => {
    const sums = directionsOf(gradients(drawn(colour)));
    const most = Math.max(...sums);
    assert.ok(most > 0.99, `${sums}`);
    return sums.indexOf(most);
  };
  assert.equal(
    main((x) => [x < 32 ? 0.2 : 0.8, 0, 0]),
    0,
  );
  assert.equal(
    main((_, y) => [y < 32 ? 0.8 : 0.2, 0, 0]),
    4,
  );
  assert.equal(
    main((x, y) => [(x + y) / 128, 0, 0]),
    2,
  );
  assert.equal(
    main((x, y) => [0.5, (x - y) / 256, 0]),
    6,
  );
});

test('an edge between two colours of one light is an edge', () => {
  const values = gradients(drawn((x) => [0.6, x < 32 ? 0.1 : -0.1, 0]));
  assert.ok(directionsOf(values)[0] > 0.99);
});

test('it lies in the cells of the edge', () => {
  const values = gradients(drawn((x) => [x < 16 ? 0.2 : 0.8, 0, 0]));
  const columns = Array.from({ length: CELLS_PER_SIDE }, (_, column) =>
    values.reduce(
      (sum, value, i) => sum + (Math.floor(i / DIRECTION_COUNT) % CELLS_PER_SIDE === column ? value : 0),
      0,
    ),
  );
  assert.ok(columns[1] > 0 && columns[3] === 0 && columns[5] === 0, `${columns}`);
});

test('the length is 1, and neither more light nor less contrast nor a negative changes anything', () => {
  fc.assert(
    fc.property(picture, (pixels) => {
      const values = gradients(pixels);
      fc.pre(values.some((value) => value > 0));
      const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
      assert.ok(Math.abs(length - 1) < 1e-9);
      const changed = gradients(pixels.map(([L, a, b]) => [0.9 - L / 2, -a / 2, 0.1 - b / 2]));
      values.forEach((value, i) => assert.ok(Math.abs(value - changed[i]) < 1e-6));
    }),
    { numRuns: 20 },
  );
});

test('the mirrored picture has the cells of a row and the directions reversed', () => {
  fc.assert(
    fc.property(picture, (pixels) => {
      const values = gradients(pixels);
      const mirrored = gradients(drawn((x, y) => pixels[y * EMBEDDING_GRID_SIDE + EMBEDDING_GRID_SIDE - 1 - x]));
      for (let i = 0; i < GRADIENT_LENGTH; i++) {
        const [cell, direction] = [Math.floor(i / DIRECTION_COUNT), i % DIRECTION_COUNT];
        const [row, column] = [Math.floor(cell / CELLS_PER_SIDE), cell % CELLS_PER_SIDE];
        const j =
          (row * CELLS_PER_SIDE + CELLS_PER_SIDE - 1 - column) * DIRECTION_COUNT +
          ((DIRECTION_COUNT - direction) % DIRECTION_COUNT);
        assert.ok(Math.abs(values[i] - mirrored[j]) < 1e-6, `${i}`);
      }
    }),
    { numRuns: 20 },
  );
});
