/** Which pages of a SQLite file a record is read through, found without SQLite. https://sqlite.org/fileformat2.html */
export interface Pages {
  readonly size: number;
  readonly count: number;
  /** Root pages by the name of the table or index. */
  readonly roots: ReadonlyMap<string, number>;
  /** For each row of a table by its number: the pages from the root to it, and those of its long fields. */
  rows(table: string): Map<number, Set<number>>;
}

const INTERIOR = 5;
const LEAF = 13;

/** @param file  a sound database without a log */
export function pagesOf(file: Uint8Array): Pages {
  const bytes = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const size = bytes.getUint16(16) === 1 ? 65536 : bytes.getUint16(16);
  const start = (page: number): number => (page - 1) * size;
  const header = (page: number): number => start(page) + (page === 1 ? 100 : 0);

  /** SQLite's integers of 1 to 9 bytes. */
  function varint(at: number): [value: number, next: number] {
    let value = 0;
    for (let i = 0; i < 8; i++) {
      const byte = bytes.getUint8(at + i);
      value = value * 128 + (byte & 127);
      if (byte < 128) return [value, at + i + 1];
    }
    return [value * 256 + bytes.getUint8(at + 8), at + 9];
  }

  function* cells(page: number): Generator<number> {
    const at = header(page);
    const pointers = at + (bytes.getUint8(at) === INTERIOR ? 12 : 8);
    for (let i = 0; i < bytes.getUint16(at + 3); i++) yield start(page) + bytes.getUint16(pointers + 2 * i);
  }

  function* leaves(page: number, path: readonly number[]): Generator<{ cell: number; path: readonly number[] }> {
    const all = [...path, page];
    const kind = bytes.getUint8(header(page));
    if (kind === LEAF) for (const cell of cells(page)) yield { cell, path: all };
    if (kind !== INTERIOR) return;
    for (const cell of cells(page)) yield* leaves(bytes.getUint32(cell), all);
    yield* leaves(bytes.getUint32(header(page) + 8), all);
  }

  /** What of a payload lies in its leaf. https://sqlite.org/fileformat2.html#cell_payload_overflow_pages */
  function local(payload: number): number {
    const most = size - 35;
    if (payload <= most) return payload;
    const least = Math.floor(((size - 12) * 32) / 255) - 23;
    const some = least + ((payload - least) % (size - 4));
    return some <= most ? some : least;
  }

  function* rowsFrom(root: number): Generator<{ number: number; body: number; pages: Set<number> }> {
    for (const { cell, path } of leaves(root, [])) {
      const [payload, afterPayload] = varint(cell);
      const [number, body] = varint(afterPayload);
      const pages = new Set(path);
      if (local(payload) < payload) {
        for (let next = bytes.getUint32(body + local(payload)); next > 0; next = bytes.getUint32(start(next))) {
          pages.add(next);
        }
      }
      yield { number, body, pages };
    }
  }

  /** The first four columns of sqlite_schema are short: type, name, table, root. */
  function schemaRow(body: number): [name: string, root: number] {
    let [head, at] = varint(body);
    head += body;
    const lengths: number[] = [];
    for (let i = 0; i < 4; i++) {
      const [type, next] = varint(at);
      lengths.push(type >= 13 ? (type - 13) / 2 : type);
      at = next;
    }
    const [type, name, table, width] = lengths as [number, number, number, number];
    const root = head + type + name + table;
    const value = [...file.subarray(root, root + width)].reduce((sum, byte) => sum * 256 + byte, 0);
    return [Buffer.from(file.subarray(head + type, head + type + name)).toString(), width === 9 ? 1 : value];
  }

  const roots = new Map([...rowsFrom(1)].map(({ body }) => schemaRow(body)));
  return {
    size,
    count: file.length / size,
    roots,
    rows: (table) => new Map([...rowsFrom(roots.get(table)!)].map(({ number, pages }) => [number, pages])),
  };
}
