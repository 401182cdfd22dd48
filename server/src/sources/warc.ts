import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, createInflateRaw, gunzip, inflate } from 'node:zlib';

/** A record of a web archive (WARC 1.0 and 1.1), or its beginning. */
export interface WarcRecord {
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** As many bytes of the block as were wanted, at most. */
  readonly block: Buffer;
  /** Where the next record begins in the file. */
  readonly next: number;
}

/** What a record says that a server has sent. */
export interface Capture {
  /** Of HTTP; 200 where the record has the content alone. */
  readonly status: number;
  readonly type: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const LARGEST_HEADER = 16_384;
/** Bytes that are read at a time. */
const PIECE_BYTES = 65_536;

/**
 * The record at an offset; undefined at the end. Fails where the file is cut or is no archive.
 * @param isCompressed  whether each record is a member of a gzip file
 * @param most  bytes of the block that are wanted
 */
export async function recordAt(
  file: FileHandle,
  offset: number,
  isCompressed: boolean,
  most: number,
): Promise<WarcRecord | undefined> {
  if ((await bytesAt(file, offset, 1)).length === 0) return undefined;
  if (isCompressed) return compressedRecord(file, offset, most);
  const { headers, end, length } = headOf(await bytesAt(file, offset, LARGEST_HEADER));
  const block = await bytesAt(file, offset + end, Math.min(length, most));
  const next = offset + end + length + 4;
  if ((await bytesAt(file, next - 4, 4)).toString('latin1') !== '\r\n\r\n') throw new Error('the archive is cut');
  return { headers, block, next };
}

async function compressedRecord(file: FileHandle, offset: number, most: number): Promise<WarcRecord> {
  const start = offset + gzipHeaderLength(await bytesAt(file, offset, LARGEST_HEADER));
  const raw = createInflateRaw();
  const input = Readable.from(piecesFrom(file, start));
  input.on('error', (cause) => raw.destroy(cause)).pipe(raw);
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const piece of raw as AsyncIterable<Buffer>) {
    if (bytes < most + LARGEST_HEADER) kept.push(piece);
    bytes += piece.length;
  }
  input.destroy();
  const text = Buffer.concat(kept);
  const { headers, end, length } = headOf(text);
  if (bytes < end + length) throw new Error('the archive is cut');
  if (bytes > end + length + 4) throw new Error('the archive is compressed as a whole; expected each record by itself');
  return { headers, block: text.subarray(end, end + Math.min(length, most)), next: start + raw.bytesWritten + 8 };
}

/** RFC 1952. */
function gzipHeaderLength(bytes: Buffer): number {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) throw new Error('no archive of compressed records');
  const flags = bytes[3]!;
  let at = 10;
  if (flags & 4) at += 2 + bytes.readUInt16LE(at);
  for (const flag of [8, 16]) if (flags & flag) at = bytes.indexOf(0, at) + 1; // a name, then a comment
  return flags & 2 ? at + 2 : at;
}

function headOf(bytes: Buffer) {
  const end = bytes.indexOf('\r\n\r\n');
  const [version, ...lines] = bytes.toString('utf8', 0, Math.max(0, end)).split('\r\n');
  const headers = fieldsOf(lines);
  const length = Number(headers.get('content-length'));
  if (!/^WARC\/1\.\d/.test(version!) || !Number.isSafeInteger(length) || length < 0) {
    throw new Error('no archive, or a cut one: expected a record of WARC 1.0 or 1.1');
  }
  return { headers, end: end + 4, length };
}

function fieldsOf(lines: readonly string[]): Map<string, string> {
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

/** What a record captures; undefined for records of other kinds, such as requests. */
export function captureOf({ headers, block }: WarcRecord): Capture | undefined {
  const kind = headers.get('warc-type');
  if (kind === 'resource') return { status: 200, type: headers.get('content-type') ?? '', headers, body: block };
  if (kind !== 'response' || !/^application\/http/i.test(headers.get('content-type') ?? '')) return undefined;
  const end = block.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line, ...lines] = block.toString('latin1', 0, end).split('\r\n');
  const fields = fieldsOf(lines);
  const status = Number(/^HTTP\/\S+ (\d{3})/.exec(line!)?.[1] ?? 0);
  return { status, type: fields.get('content-type') ?? '', headers: fields, body: block.subarray(end + 4) };
}

const decoders = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };

/** The content that was sent, without the codings of HTTP. Fails where it is larger than `maxOutputLength`. */
export async function contentOf({ headers, body }: Capture, maxOutputLength: number): Promise<Buffer> {
  const isChunked = /chunked/i.test(headers.get('transfer-encoding') ?? '');
  const sent = isChunked ? (unchunked(body) ?? body) : body;
  const coding = headers.get('content-encoding')?.toLowerCase().replace(/^x-/, '');
  if (coding === undefined || !Object.hasOwn(decoders, coding)) return sent;
  return decoders[coding as keyof typeof decoders](sent, { maxOutputLength });
}

/** Undefined where there are no chunks: some crawlers keep the header and drop the coding. */
function unchunked(body: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const line = body.indexOf('\r\n', at);
    const size = /^([0-9a-f]{1,8})\s*(;|$)/i.exec(body.toString('latin1', at, Math.min(line, at + 100)))?.[1];
    if (line < 0 || size === undefined) return undefined;
    const length = Number.parseInt(size, 16);
    if (length === 0) return Buffer.concat(chunks);
    if (line + 2 + length > body.length) return undefined;
    chunks.push(body.subarray(line + 2, line + 2 + length));
    at = line + 2 + length + 2;
  }
}

async function* piecesFrom(file: FileHandle, start: number): AsyncGenerator<Buffer> {
  for (let offset = start; ;) {
    const piece = await bytesAt(file, offset, PIECE_BYTES);
    if (piece.length === 0) return;
    yield piece;
    offset += piece.length;
  }
}

async function bytesAt(file: FileHandle, offset: number, most: number): Promise<Buffer> {
  const buffer = Buffer.alloc(most);
  const { bytesRead } = await file.read(buffer, 0, most, offset);
  return buffer.subarray(0, bytesRead);
}
