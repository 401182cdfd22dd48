import assert from 'node:assert/strict';
import { Workspace } from '../src/kernels/workspace.ts';
import type { Plane } from './oracles/plane.ts';

const GUARD_BYTES = 64;

/**
 * A workspace in whose memory everything is NaN at first, with guards between what is handed out: a kernel that uses what
 * was never written, or writes where it should not, is seen.
 */
export class DirtyWorkspace extends Workspace {
  #guards: number[] = [];

  override take(bytes: number): number {
    const at = super.take(bytes + GUARD_BYTES);
    this.bytes(at, bytes + GUARD_BYTES).fill(0xff);
    this.#guards.push(at + bytes);
    return at;
  }

  override release(mark: number): void {
    super.release(mark);
    this.#guards = this.#guards.filter((at) => at < mark);
  }

  assertUnharmed(): void {
    const harmed = this.#guards.filter((at) => this.bytes(at, GUARD_BYTES).some((byte) => byte !== 0xff));
    assert.deepEqual(harmed, [], 'the kernel wrote beyond its room');
  }
}

const workspace = new DirtyWorkspace();
const start = workspace.mark();

/** Runs a kernel in memory that was left dirty. @param room  what it writes, in floats; it returns what it wrote */
export function floatsOf(room: number, run: (workspace: DirtyWorkspace, out: number) => void): Float32Array {
  workspace.release(start);
  const out = workspace.take(4 * room);
  run(workspace, out);
  workspace.assertUnharmed();
  return workspace.floats(out, room).slice();
}

/** Every number within `bound` of the expected one. */
export function assertNear(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  bound: number,
  what = 'number',
): void {
  assert.equal(actual.length, expected.length, `${what}s in all`);
  for (let i = 0; i < expected.length; i++) {
    const off = Math.abs(actual[i] - expected[i]);
    assert.ok(off <= bound, `${what} ${i} is ${actual[i]}, expected ${expected[i]} ± ${bound}`);
  }
}

export function assertPlane(actual: Float32Array, expected: Plane, bound: number): void {
  assertNear(actual, expected.values, bound, `${expected.width} x ${expected.height} plane: pixel`);
}
