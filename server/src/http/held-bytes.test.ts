import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../errors.ts';
import { Budget } from './budget.ts';
import { HeldBytes } from './held-bytes.ts';

/** More than any test appends. */
const MAX_BYTES = 2 ** 24;
const pieces = fc.array(fc.uint8Array({ maxLength: 20_000 }), { maxLength: 40 });

/** Records the maximum held at any moment. */
class WatchedBudget extends Budget {
  peak = 0;
  override take(amount: number, holder?: object, first?: boolean): void {
    super.take(amount, holder, first);
    this.peak = Math.max(this.peak, this.held);
  }
}

test('pieces of any size give the same bytes as one piece, and are all returned to the budget', () => {
  fc.assert(
    fc.property(pieces, fc.boolean(), (all, declared) => {
      const budget = new WatchedBudget(2 ** 30, 'bytes');
      const held = new HeldBytes(budget);
      const whole = Buffer.concat(all);
      for (const piece of all) held.append(piece, declared ? whole.length : MAX_BYTES);
      assert.deepEqual(held.bytes, whole);
      assert.ok(budget.held >= whole.length, 'all that is held is counted');
      assert.ok(budget.held < whole.length + (declared ? 1 : 4096), 'at most the rest of a page more');
      assert.equal(budget.peak, budget.held);
      held.release();
      held.release();
      assert.equal(budget.held, 0);
    }),
  );
});

test('a million pieces of one byte take as much as one piece of a million', () => {
  const budget = new WatchedBudget(2 ** 30, 'bytes');
  const held = new HeldBytes(budget);
  const byte = Uint8Array.of(7);
  for (let i = 0; i < 1_000_000; i++) held.append(byte, MAX_BYTES);
  assert.equal(held.length, 1_000_000);
  assert.ok(held.bytes.every((each) => each === 7));
  assert.equal(budget.held, Math.ceil(1_000_000 / 4096) * 4096);
});

test('bytes that do not fit are refused, and the earlier ones can still be returned', () => {
  const budget = new Budget(12_000, 'bytes');
  const held = new HeldBytes(budget);
  held.append(new Uint8Array(4_096), MAX_BYTES);
  assert.throws(() => held.append(new Uint8Array(8_000), MAX_BYTES), isOverloaded);
  assert.equal(budget.held, 4_096);
  assert.equal(held.length, 4_096);
  held.release();
  assert.equal(budget.held, 0);
});

test('released bytes are no longer in memory, though somebody still has a view of them', () => {
  const held = new HeldBytes(new Budget(MAX_BYTES, 'bytes'));
  held.append(new Uint8Array(100_000), MAX_BYTES);
  const view = held.bytes;
  assert.equal(view.buffer.byteLength, Math.ceil(100_000 / 4096) * 4096);
  held.release();
  assert.deepEqual([view.length, view.buffer.byteLength, held.bytes.length], [0, 0, 0]);
});

test('bytes move from the part without a holder to the share of a holder, with the texts beside them', () => {
  const budget = new Budget(40_000, 'bytes', { withoutHolder: 10_000 });
  const [owner, other] = [{}, {}];
  const held = new HeldBytes(budget);
  held.append(new Uint8Array(8_000), 8_000);
  held.countBeside(1_000);
  held.countBeside(1_500);
  const next = new HeldBytes(budget);
  assert.throws(() => next.append(new Uint8Array(4_096), 4_096), /without an application key/);
  held.assignTo(owner);
  next.append(new Uint8Array(10_000), 10_000);
  assert.equal(budget.held, 19_500);
  assert.throws(() => budget.admit(6_000, owner), /of one application/);
  budget.admit(6_000, other);
  held.release();
  next.release();
  assert.equal(budget.held, 0);
});

test('if bodies without a holder fill their part, the first bytes of another still fit', () => {
  const budget = new Budget(2_000_000, 'bytes', { withoutHolder: 500_000, keptForFirst: 200_000 });
  const large = new HeldBytes(budget);
  large.append(new Uint8Array(300_000), 300_000);
  const next = new HeldBytes(budget);
  next.admit(10_000_000);
  next.append(new Uint8Array(60_000), MAX_BYTES);
  assert.throws(() => next.append(new Uint8Array(60_000), MAX_BYTES), /without an application key/);
  next.assignTo({});
  next.append(new Uint8Array(60_000), MAX_BYTES);
  assert.equal(next.length, 120_000);
});

test('bytes after the release are not kept', () => {
  const budget = new Budget(40_000, 'bytes');
  const held = new HeldBytes(budget);
  const owner = {};
  held.append(new Uint8Array(10), MAX_BYTES);
  held.countBeside(5);
  held.release();
  held.append(new Uint8Array(10), MAX_BYTES);
  held.countBeside(10);
  held.assignTo(owner);
  held.release();
  assert.deepEqual([budget.held, held.length], [0, 0]);
  assert.throws(() => budget.admit(20_001, owner), isOverloaded);
  budget.admit(20_000, owner);
});

test('announced bytes must fit into what is left for the holder; without a holder, so must one read of a socket', () => {
  const budget = new Budget(400_000, 'bytes', { withoutHolder: 100_000, keptForFirst: 65_536 });
  const [held, other] = [new HeldBytes(budget), new HeldBytes(budget)];
  const owner = {};
  held.admit(500_000);
  held.append(new Uint8Array(65_536), MAX_BYTES);
  assert.throws(() => other.admit(34_465), /without an application key/);
  other.admit(34_464);
  held.assignTo(owner);
  held.admit(130_000);
  assert.throws(() => held.admit(140_000), /of one application/);
});

test('a body of one read of a socket needs the part for first bytes, and one byte more does not have it', () => {
  const held = (length: number): HeldBytes => {
    const body = new HeldBytes(new Budget(10 ** 6, 'bytes', { withoutHolder: 100_000, keptForFirst: 65_536 }));
    body.append(new Uint8Array(length), length);
    return body;
  };
  assert.equal(held(65_536).length, 65_536);
  assert.throws(() => held(65_537), /without an application key/);
});

test('texts beside the first bytes are no first bytes, and no texts need no room', () => {
  const body = new HeldBytes(new Budget(10 ** 6, 'bytes', { withoutHolder: 100_000, keptForFirst: 65_536 }));
  body.append(new Uint8Array(65_536), MAX_BYTES);
  body.countBeside(0);
  assert.throws(() => body.countBeside(1), /without an application key/);
});

test('a request without bytes has room beside those that fill the share of its application, and one byte counts', () => {
  const budget = new Budget(40_000, 'bytes', { withoutHolder: 1 });
  const owner = {};
  budget.take(20_000, owner);
  budget.take(5_000, {});
  new HeldBytes(budget).assignTo(owner);
  const one = new HeldBytes(budget);
  one.countBeside(1);
  assert.throws(() => one.assignTo(owner), /of one application/);
  one.assignTo({});
  budget.admit(1);
});

function isOverloaded(cause: unknown): boolean {
  return cause instanceof Failure && cause.error === 'OVERLOADED';
}
