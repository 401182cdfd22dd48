import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** An answer as received. */
export interface Reply {
  readonly http: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  readonly json: any;
}

/** One connection, on which exactly the given bytes are sent. */
export class Wire {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #ended = false;
  #wake = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    socket.on('error', () => {}); // reported as 'close'
    socket.on('close', () => {
      this.#ended = true;
      this.#wake();
    });
  }

  static open(port: number): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => resolve(new Wire(socket)));
      socket.once('error', reject);
    });
  }

  send(...pieces: (string | Uint8Array)[]): void {
    for (const piece of pieces) this.#socket.write(piece);
  }

  /** Resolves when everything is written, and rejects if the server did not read it: most clients fail then. */
  sendAll(...pieces: (string | Uint8Array)[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.send(...pieces);
      this.#socket.write('', (error) => (error ? reject(error) : resolve()));
    });
  }

  /** The next answer, including `100 Continue`. Rejects if the connection ends before it is complete. */
  async reply(): Promise<Reply> {
    for (;;) {
      const reply = this.#take();
      if (reply) return reply;
      if (this.#ended) throw new Error(`connection ended after ${JSON.stringify(this.#received.toString('latin1'))}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Resolves when the server has closed the connection. */
  async closed(): Promise<void> {
    while (!this.#ended) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  cut(): void {
    this.#socket.destroy();
  }

  #take(): Reply | undefined {
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return undefined;
    const [first, ...lines] = this.#received.toString('latin1', 0, headEnd).split('\r\n');
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const end = headEnd + 4 + Number(headers.get('content-length') ?? 0);
    if (this.#received.length < end) return undefined;

    const body = this.#received.subarray(headEnd + 4, end);
    this.#received = this.#received.subarray(end);
    const json = body.length > 0 ? JSON.parse(body.toString('latin1')) : undefined;
    return { http: Number(first!.split(' ')[1]), headers, body, json };
  }
}

/** Sends bytes on a new connection, all of them before it reads, and returns the one answer. */
export async function exchange(port: number, ...pieces: (string | Uint8Array)[]): Promise<Reply> {
  const wire = await Wire.open(port);
  try {
    await wire.sendAll(...pieces);
    return await wire.reply();
  } finally {
    wire.cut();
  }
}

/** A request with a body of known length; `head` is request line and headers without the empty line. */
export function withBody(head: string, ...body: (string | Uint8Array)[]): Buffer {
  const content = Buffer.concat(body.map((piece) => Buffer.from(piece as string)));
  return Buffer.concat([Buffer.from(`${head}\r\nContent-Length: ${content.length}\r\n\r\n`), content]);
}
