import { closeSync, ftruncateSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

const HEADER = 8;

/**
 * The input that is being executed and its number, in a file: it is still there when the process that wrote it has ended
 * or answers no more.
 */
export class NoteWriter {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  write(input: Uint8Array, number: number): void {
    const note = Buffer.allocUnsafe(HEADER + input.length);
    note.writeUInt32LE(number, 0);
    note.writeUInt32LE(input.length, 4);
    note.set(input, HEADER);
    writeSync(this.#file, note, 0, note.length, 0);
  }

  close(): void {
    ftruncateSync(this.#file, 0);
    closeSync(this.#file);
  }
}

/** The number of the input under way; -1 before the first and after the last. */
export function numberIn(path: string): number {
  const file = openSync(path, 'r');
  try {
    const number = Buffer.alloc(4);
    return readSync(file, number, 0, 4, 0) === 4 ? number.readUInt32LE() : -1;
  } finally {
    closeSync(file);
  }
}

export function inputIn(path: string): Uint8Array {
  const note = readFileSync(path);
  return note.subarray(HEADER, HEADER + note.readUInt32LE(4));
}
