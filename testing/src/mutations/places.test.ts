import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { placesFinder } from './places.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const skip = existsSync(join(root, 'lint/node_modules')) ? false : '`npm run lint` installs the parser';

function after(text: string): string[] {
  const changes = placesFinder(root)(text);
  return changes.map(({ start, end, to }) => text.slice(0, start) + to + text.slice(end)).sort();
}

test('comparisons move by their edge or are reversed', { skip }, () => {
  assert.deepEqual(after('x = a < b;'), ['x = a <= b;']);
  assert.deepEqual(after('x = a >= b;'), ['x = a > b;']);
  assert.deepEqual(after('x = a === b;'), ['x = a !== b;']);
  assert.deepEqual(after('x = a + b;'), []);
});

test('constants become twice as much and nothing, small ones one more, and their opposite', { skip }, () => {
  assert.deepEqual(after('x = 1_000;'), ['x = 0;', 'x = 2000;']);
  assert.deepEqual(after('x = 99;'), ['x = 0;', 'x = 100;', 'x = 198;']);
  assert.deepEqual(after('x = 0;'), ['x = 1;']);
  assert.deepEqual(after('x = 10n;'), []);
  assert.deepEqual(after('x = true;'), ['x = false;']);
});

test('conditions are negated, and lose each of their parts', { skip }, () => {
  assert.deepEqual(after('if (a && b) c = d;'), ['if (!(a && b)) c = d;', 'if (a) c = d;', 'if (b) c = d;']);
  assert.deepEqual(after('x = a || b;'), ['x = a;', 'x = b;']);
  assert.deepEqual(after('x = a ? b : c;'), ['x = !(a) ? b : c;']);
});

test('guard statements go, logs stay', { skip }, () => {
  assert.deepEqual(after('throw wrong;'), [';']);
  assert.deepEqual(after('function f() { { return; } }'), ['function f() { { ; } }']);
  assert.deepEqual(after('await entries.flush();'), [';']);
  assert.deepEqual(after('this.log.warn(text); a = b;'), []);
});

test(
  'a return without a value stays where nothing follows it, and what another system executes stays',
  { skip },
  () => {
    assert.deepEqual(after('function f() { a(); return undefined; }'), ['function f() { ; return undefined; }']);
    assert.deepEqual(after('f = () => { return; };'), []);
    assert.deepEqual(after('function f() { return a; }'), ['function f() { ; }']);
    assert.deepEqual(after('function f() { if (a) { return; } b = c; }').length, 2);
    assert.deepEqual(after("if (process.platform === 'win32') return 7;"), [
      "if (!(process.platform === 'win32')) return 7;",
      "if (process.platform !== 'win32') return 7;",
    ]);
    assert.equal(after("if (process.platform === 'linux') return 7;").length, 6);
  },
);

test('types, texts and comments stay', { skip }, () => {
  assert.deepEqual(after('type A = 1 | true; // 2 < 3\nx = "4 < 5";\nconst a: Map<string, 6> = b;'), []);
});
