import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../errors.ts';
import { Budget } from './budget.ts';

/** The number of grants to a holder, one after another, before a refusal. */
function most(budget: Budget, holder?: object): number {
  for (let taken = 0; ; taken++) {
    try {
      budget.take(1, holder);
    } catch (cause) {
      assert.ok(cause instanceof Failure && cause.error === 'OVERLOADED');
      return taken;
    }
  }
}

test('without a holder everything can be taken, and no more', () => {
  const budget = new Budget(12, 'things');
  assert.equal(most(budget), 12);
  budget.giveBack(5);
  assert.deepEqual([budget.held, most(budget)], [7, 5]);
});

test('a holder alone gets half, and leaves the next one half of the rest', () => {
  const budget = new Budget(12, 'things');
  const [a, b, c] = [{}, {}, {}];
  assert.deepEqual([most(budget, a), most(budget, b), most(budget, c)], [6, 3, 1]);
  assert.equal(budget.held, 10);
});

test('after the greedy holder gives back, it may take only its share of the rest again', () => {
  const budget = new Budget(12, 'things');
  const [a, b] = [{}, {}];
  most(budget, a);
  most(budget, b);
  budget.giveBack(6, a);
  assert.equal(most(budget, b), 3); // six in all, as for the greedy one
  assert.deepEqual([most(budget, a), budget.held], [3, 9]);
});

test('an announced amount counts like a taken one', () => {
  const budget = new Budget(12, 'things');
  const a = {};
  budget.take(4, a);
  assert.throws(() => budget.admit(3, a), /of one application/);
  assert.throws(() => budget.admit(9), /too many things at once/);
  budget.admit(2, a);
  assert.equal(budget.held, 4);
});

test('requests without a holder have a fixed part together, independently of the free amount', () => {
  const budget = new Budget(12, 'things', { withoutHolder: 3 });
  const a = {};
  assert.equal(most(budget), 3);
  assert.throws(() => budget.admit(1), /without an application key/);
  assert.equal(most(budget, a), 4); // half of the rest, rounded down
});

test('assigning frees the part of requests without a holder; beyond the share of the holder nothing changes', () => {
  const budget = new Budget(12, 'things', { withoutHolder: 4 });
  const a = {};
  budget.take(4);
  budget.assign(4, a);
  assert.deepEqual([budget.held, most(budget)], [4, 4]);
  assert.throws(() => budget.assign(4, a), /of one application/);
  assert.deepEqual([budget.held, most(budget)], [8, 0]);
  budget.giveBack(4, a);
  budget.giveBack(4);
  assert.equal(budget.held, 0);
});

test('what is kept for first amounts is for them alone', () => {
  const budget = new Budget(12, 'things', { withoutHolder: 6, keptForFirst: 2 });
  budget.admit(6, undefined, true);
  assert.throws(() => budget.admit(5), /without an application key/);
  assert.equal(most(budget), 4);
  budget.take(2, undefined, true);
  assert.throws(() => budget.take(1, undefined, true), /without an application key/);
});

test('a holder takes nothing of the part without a holder', () => {
  const budget = new Budget(12, 'things', { withoutHolder: 3 });
  budget.take(4, {});
  assert.equal(most(budget), 3);
});
