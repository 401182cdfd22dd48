import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inOrder, sideBySide } from './bulk.ts';
import { collected } from './service.test.kit.ts';

/** Work whose items end when the test says so. */
class Work {
  readonly #ends = new Map<number, () => void>();
  most = 0;

  start = (item: number): Promise<string> => {
    const done = new Promise<string>((resolve) => this.#ends.set(item, () => resolve(`done ${item}`)));
    this.most = Math.max(this.most, this.#ends.size);
    return done;
  };

  end(item: number): void {
    this.#ends.get(item)!();
    this.#ends.delete(item);
  }

  get items(): number[] {
    return [...this.#ends.keys()];
  }
}

/** Lets everything happen that does not wait for the work. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Ends the latest of those in progress, again and again, until `outcomes` is complete. */
async function lastFirst<T>(work: Work, outcomes: Promise<T>): Promise<T> {
  const state = { over: false };
  const watched = outcomes.finally(() => (state.over = true));
  while (!state.over) {
    await settled();
    const last = work.items.at(-1);
    if (last !== undefined) work.end(last);
  }
  return watched;
}

async function* numbers(count: number): AsyncGenerator<number> {
  for (let i = 0; i < count; i++) yield i;
}

test('side by side: as many at a time as were allowed, each outcome once, as they end', async () => {
  const work = new Work();
  const outcomes = await lastFirst(work, collected(sideBySide(numbers(7), 3, work.start)));
  assert.equal(work.most, 3);
  assert.equal(outcomes[0], 'done 2');
  assert.deepEqual([...outcomes].sort(), [0, 1, 2, 3, 4, 5, 6].map((item) => `done ${item}`).sort());
});

test('in order: as many at a time as were allowed, outcomes in the order of the items', async () => {
  for (const [count, parallel, most] of [
    [7, 3, 3],
    [2, 3, 2],
    [3, 1, 1],
    [0, 3, 0],
  ] as const) {
    const work = new Work();
    const outcomes = await lastFirst(work, collected(inOrder(numbers(count), parallel, work.start)));
    assert.deepEqual(
      outcomes,
      Array.from({ length: count }, (_, item) => `done ${item}`),
    );
    assert.equal(work.most, most);
  }
});

test('leaving the loop waits for what is in progress and closes the list of items', async () => {
  for (const each of [sideBySide, inOrder]) {
    const work = new Work();
    let closed = false;
    const items = (function* () {
      try {
        for (let i = 0; ; i++) yield i;
      } finally {
        closed = true;
      }
    })();
    const outcomes = each(items, 2, work.start);
    const first = outcomes.next();
    await settled();
    work.end(0);
    assert.equal((await first).value, 'done 0');
    let left = false;
    const leaving = outcomes.return(undefined).then(() => (left = true));
    await settled();
    assert.equal(left, false, 'an item is in progress');
    work.end(1);
    await leaving;
    assert.equal(closed, true);
  }
});
