import type { Random } from '../pictures/random.ts';

/** One way by which bytes of strangers enter the program. A file of `targets/` each; the table is `targets/targets.ts`. */
export interface Target {
  readonly name: string;
  /** Compiled files, by path, whose executed blocks count as progress of the search. */
  readonly covers: RegExp;
  /** Processor time that one input may take, in milliseconds. */
  readonly limit: number;
  /** Prepares what is needed once; the caller closes it. */
  open(): Promise<Opened>;
}

export interface Opened {
  /** Inputs to begin with. */
  readonly seeds: readonly Uint8Array[];
  /**
   * Changes an input in keeping with its form: lengths, counts and checksums are made right again, or else nothing behind
   * the first check would ever be reached. Without it, bytes are changed blindly.
   */
  readonly mutate?: (input: Uint8Array, random: Random, others: readonly Uint8Array[]) => Uint8Array;
  /**
   * Gives the input to the program and checks the answer. Throws where a promise is broken.
   * @returns the outcome in a word or two; an input with a new outcome is kept for further changes
   */
  run(input: Uint8Array): string | Promise<string>;
  close?(): Promise<void>;
}

/** An input for which `run` failed. */
export interface Finding {
  readonly input: Uint8Array;
  /** Name and message of the error, or how the process ended. */
  readonly fault: string;
}

/** The same fault of another input reads alike: without numbers and without what was quoted. */
export function kindOf(fault: string): string {
  const [line = ''] = fault.split('\n', 1);
  return line
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '…')
    .replace(/0x[\da-f]+|-?\d+(\.\d+)?/gi, '#')
    .slice(0, 120);
}
