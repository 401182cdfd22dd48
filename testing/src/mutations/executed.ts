import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** A compiled file: the line of the source that each of its characters comes from. */
interface Compiled {
  readonly source: string;
  readonly lines: Uint32Array;
}

/** Source files, from the root, with the lines that ran, counted from 1. */
export type Lines = Map<string, Set<number>>;

/** Reads what processes with NODE_V8_COVERAGE left behind. Processes that were killed leave nothing. */
export class ExecutedLines {
  readonly #tree: string;
  readonly #compiled = new Map<string, Compiled | null>();

  constructor(tree: string) {
    this.#tree = tree;
  }

  /** @param folder that NODE_V8_COVERAGE named */
  read(folder: string): Lines {
    const lines: Lines = new Map();
    for (const name of readdirSync(folder)) {
      const text = readFileSync(join(folder, name), 'utf8');
      for (const script of parsed(text)?.result ?? []) this.#add(script, lines);
    }
    return lines;
  }

  #add({ url, functions }: Coverage['result'][number], lines: Lines): void {
    const compiled = url.startsWith('file:') ? this.#of(url) : null;
    if (!compiled) return;
    const ran = new Uint8Array(compiled.lines.length);
    // a function comes before those in it, and a range before those in it
    for (const { ranges } of functions) {
      for (const { startOffset, endOffset, count } of ranges) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
    }
    const known = lines.get(compiled.source) ?? new Set();
    ran.forEach((one, offset) => {
      if (one && compiled.lines[offset]) known.add(compiled.lines[offset]);
    });
    lines.set(compiled.source, known);
  }

  #of(url: string): Compiled | null {
    let known = this.#compiled.get(url);
    if (known === undefined) this.#compiled.set(url, (known = this.#load(fileURLToPath(url.split('?', 1)[0]!))));
    return known;
  }

  #load(path: string): Compiled | null {
    const file = relative(this.#tree, path);
    if (file.startsWith('..') || file.includes('node_modules') || !existsSync(`${path}.map`)) return null;
    const map = JSON.parse(readFileSync(`${path}.map`, 'utf8')) as SourceMapPayload;
    const text = readFileSync(path, 'utf8');
    return { source: relative(this.#tree, join(dirname(path), map.sources[0]!)), lines: sourceLines(text, map) };
  }
}

/** 0 for spaces and what has no source. */
function sourceLines(text: string, payload: SourceMapPayload): Uint32Array {
  const map = new SourceMap(payload);
  const lines = new Uint32Array(text.length);
  let [line, start] = [0, 0];
  for (let offset = 0; offset < text.length; offset++) {
    if (text[offset] === '\n') [line, start] = [line + 1, offset + 1];
    if (!/\s/.test(text[offset]!)) {
      const entry = map.findEntry(line, offset - start);
      lines[offset] = 'originalLine' in entry ? entry.originalLine + 1 : 0;
    }
  }
  return lines;
}

/** null for a file that a process had not finished. */
function parsed(text: string): Coverage | null {
  try {
    return JSON.parse(text) as Coverage;
  } catch {
    return null;
  }
}
