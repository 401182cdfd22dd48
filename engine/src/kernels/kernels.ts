import { embeddedBytes } from './embedded.ts';
import { kernels as base64, type Functions } from './wasm.generated.ts';

/**
 * The functions of `assembly/`, where each is documented. Pointers are byte offsets into the instance's memory, never checked.
 */
export interface Kernels extends Functions {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
}

let compiled: WebAssembly.Module | undefined;

/** A new instance with a memory of its own. The code is compiled once. */
export function loadKernels(): Kernels {
  compiled ??= new WebAssembly.Module(embeddedBytes(base64));
  return new WebAssembly.Instance(compiled).exports as unknown as Kernels;
}
