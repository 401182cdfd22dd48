import { type Kernels, loadKernels } from './kernels.ts';

/**
 * Memory of one kernel instance, handed out from bottom to top and taken back all at once. Views are made when requested
 * for, because memory that grows leaves older views behind.
 */
export class Workspace {
  readonly kernels: Kernels = loadKernels();
  #top = (this.kernels.memoryBase() + 15) & ~15;

  /** Room for `bytes` bytes, at a multiple of 16. Its content is whatever was there. */
  take(bytes: number): number {
    const at = this.#top;
    this.#top = (at + bytes + 15) & ~15;
    const held = this.kernels.memory.buffer.byteLength;
    // by an eighth at least: each time costs more the more there is
    if (this.#top > held) this.kernels.memory.grow((Math.max(this.#top - held, held >>> 3) + 0xffff) >>> 16);
    return at;
  }

  /** Copies an array into memory of its own. */
  put(array: Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array): number {
    const at = this.take(array.byteLength);
    this.bytes(at, array.byteLength).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return at;
  }

  /** What `mark` gave; everything taken since is free again after `release`. */
  mark(): number {
    return this.#top;
  }

  release(mark: number): void {
    this.#top = mark;
  }

  bytes(at: number, n: number): Uint8Array {
    return new Uint8Array(this.kernels.memory.buffer, at, n);
  }

  halves(at: number, n: number): Uint16Array {
    return new Uint16Array(this.kernels.memory.buffer, at, n);
  }

  integers(at: number, n: number): Uint32Array {
    return new Uint32Array(this.kernels.memory.buffer, at, n);
  }

  floats(at: number, n: number): Float32Array {
    return new Float32Array(this.kernels.memory.buffer, at, n);
  }

  doubles(at: number, n: number): Float64Array {
    return new Float64Array(this.kernels.memory.buffer, at, n);
  }
}

let common: Workspace | undefined;

/** The workspace of all that releases what it took before it returns. */
export function commonWorkspace(): Workspace {
  return (common ??= new Workspace());
}
