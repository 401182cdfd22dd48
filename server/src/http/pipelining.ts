import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Limits } from './limits.ts';
import { LoopQueue } from './loop-queue.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
/** The least that is parsed of a body in chunks, where the end of headers may be content. */
const CHUNKS = 1_024;

/**
 * Parses the next request of a connection when all before it are answered. Node parses all requests of one read, up to 64 KB,
 * and keeps their answers where the client does not read. Here what follows a request stays unparsed, and the connection is
 * not read, until the answer is written. Requests that waited are then parsed one in each iteration of the event loop, and so are
 * pieces of headers that are larger than usual.
 *
 * Bytes of large headers and of requests that wait are bounded over all connections. Above the limit the connections with
 * most of them are refused.
 */
export function limitPipelining(server: Server, limits: Limits, refuse: (socket: Socket) => void): void {
  const connections = new Connections(limits, refuse);
  server.on('connection', (socket: Socket) => connections.add(socket));
  server.on('request', (request, response) => connections.begin(request, response));
}

class Connections {
  readonly limits: Limits;
  readonly queue = new LoopQueue();
  readonly #refuse: (socket: Socket) => void;
  readonly #all = new Map<Socket, Connection>();
  #bytes = 0;

  constructor(limits: Limits, refuse: (socket: Socket) => void) {
    this.limits = limits;
    this.#refuse = refuse;
  }

  add(socket: Socket): void {
    const connection = new Connection(socket, this);
    this.#all.set(socket, connection);
    socket.once('close', () => this.#remove(connection));
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#all.get(request.socket)?.begin(request, response);
  }

  count(connection: Connection, bytes: number): void {
    if (!this.#all.has(connection.socket)) return;
    this.#bytes += bytes - connection.counted;
    connection.counted = bytes;
    while (this.#bytes > this.limits.headerBytesInFlight) {
      const counted = [...this.#all.values()].filter((each) => each.waits && each.counted > 0);
      const [largest] = counted.sort((one, another) => another.counted - one.counted);
      if (!largest) return;
      this.#remove(largest);
      if (largest.answering) largest.socket.destroy();
      else this.#refuse(largest.socket);
    }
  }

  #remove(connection: Connection): void {
    if (this.#all.delete(connection.socket)) this.#bytes -= connection.counted;
  }
}

/** What http adds to the socket of a connection. */
type HttpSocket = Socket & {
  /** null when http has left the connection. */
  readonly parser: object | null;
  /** Whether http waits until answers were written. */
  readonly _paused: boolean;
};

class Connection {
  readonly socket: HttpSocket;
  /** Bytes of large headers, until their request is answered, and of requests that wait. */
  counted = 0;
  readonly #all: Connections;
  readonly #parse: (bytes: Buffer) => void;
  readonly #resume: () => Socket;
  #unparsed: Buffer = Buffer.alloc(0);
  #request: IncomingMessage | undefined;
  #unanswered = 0;
  /** Of the body of the request, if its length is declared. */
  #bodyBytesLeft = 0;
  #headerBytes = 0;
  #parsing = false;
  #stopped = false;
  #queued = false;

  constructor(socket: Socket, all: Connections) {
    this.socket = socket as HttpSocket;
    this.#all = all;
    const [parse, ...others] = socket.listeners('data');
    if (!parse || others.length > 0) throw new Error('expected one reader of the connection, that of http');
    this.#parse = (bytes) => void parse.call(socket, bytes);
    socket.removeListener('data', parse as () => void);
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    this.#resume = socket.resume.bind(socket);
    // http resumes a connection after each body and each answer
    socket.resume = () => {
      if (this.#unparsed.length === 0 || this.socket.parser === null) return this.#resume();
      if (this.#inBody) this.#advance(false);
      return socket;
    };
  }

  get answering(): boolean {
    return this.#unanswered > 0;
  }

  /** Whether it has unfinished headers, or requests that wait. */
  get waits(): boolean {
    return !this.answering || this.#unparsed.length > 0;
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#request = request;
    this.#unanswered++;
    this.#bodyBytesLeft = Number(request.headers['content-length'] ?? 0);
    response.once('close', () => this.#end());
  }

  #end(): void {
    if (--this.#unanswered > 0) return;
    this.#headerBytes = 0;
    this.#count();
    if (this.#unparsed.length > 0) this.#enqueue();
  }

  #take(bytes: Buffer): void {
    this.#unparsed = this.#unparsed.length > 0 ? Buffer.concat([this.#unparsed, bytes]) : bytes;
    if (!this.#queued) this.#advance(false);
  }

  #enqueue(): void {
    if (this.#queued) return;
    this.#queued = true;
    this.#all.queue.push(() => {
      this.#queued = false;
      this.#advance(true);
    });
  }

  /** @param mayBeLarge  whether this connection may parse a large piece of headers now */
  #advance(mayBeLarge: boolean): void {
    if (this.#parsing) return;
    this.#parsing = true;
    for (let first = true; this.#unparsed.length > 0 && this.#mayParse; first = false) {
      const length = this.#pieceLength();
      const large = !this.#inBody && this.#headerBytes + length > this.#all.limits.usualHeaderBytes;
      if (large && !(first && mayBeLarge)) {
        this.#enqueue();
        break;
      }
      this.#parsePiece(length);
    }
    this.#parsing = false;

    if (this.socket.parser === null || !this.socket.writable) this.#unparsed = Buffer.alloc(0);
    const stopped = this.#unparsed.length > 0;
    if (stopped && !this.#stopped) setImmediate(() => this.#count()); // Node reads once more after a pause
    if (stopped) this.socket.pause();
    else if (this.#stopped) this.#resume();
    this.#stopped = stopped;
    this.#count();
  }

  get #inBody(): boolean {
    return this.#request !== undefined && !this.#request.complete;
  }

  get #mayParse(): boolean {
    const { parser, writable, _paused } = this.socket;
    return parser !== null && writable && !_paused && (this.#unanswered === 0 || this.#inBody);
  }

  /** What is there of a body of declared length; or else up to the next end of headers or of a body in chunks. */
  #pieceLength(): number {
    const inBody = this.#inBody;
    if (inBody && this.#bodyBytesLeft > 0) return Math.min(this.#unparsed.length, this.#bodyBytesLeft);
    const found = this.#unparsed.indexOf(HEAD_END, inBody ? CHUNKS : 0);
    return found < 0 ? this.#unparsed.length : found + HEAD_END.length;
  }

  #parsePiece(length: number): void {
    const piece = this.#unparsed.subarray(0, length);
    this.#unparsed = this.#unparsed.subarray(length);
    if (!this.#inBody) this.#headerBytes += length;
    else if (this.#bodyBytesLeft > 0) this.#bodyBytesLeft -= length;
    this.#parse(piece);
  }

  #count(): void {
    const bytes = this.#headerBytes + this.#unparsed.length + this.socket.readableLength;
    const counted = bytes > this.#all.limits.usualHeaderBytes ? bytes : 0;
    if (counted !== this.counted) this.#all.count(this, counted);
  }
}
