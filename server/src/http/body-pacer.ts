import type { IncomingMessage } from 'node:http';

/** So many pieces of a body a connection may bring in one turn of the event loop. */
const PIECES = 256;

/**
 * Lets connections take turns whose bodies come in very small HTTP chunks. Each chunk costs about a microsecond, however
 * small it is. One read of a socket brings 10,000 of them, and the event loop reads every socket that has data before
 * it does anything else. So a connection with more than 256 pieces in a turn of the loop waits in line, and one of the
 * line is read in a turn.
 */
export class BodyPacer {
  readonly #line: (() => void)[] = [];
  readonly #paced = new WeakSet<IncomingMessage>();

  /** Starts the flow of the body; pieces that nobody listens to are thrown away. */
  pace(request: IncomingMessage): void {
    if (this.#paced.has(request)) return;
    this.#paced.add(request);

    const { socket } = request;
    const read = request._read;
    let pieces = 0;
    let waiting = false;
    // Node asks for more after each piece, which would resume the socket
    request._read = (size) => {
      if (!waiting) read.call(request, size);
    };
    request.on('data', () => {
      if (pieces === 0) setImmediate(() => (pieces = 0));
      if (++pieces <= PIECES || waiting) return;
      waiting = true;
      socket.pause();
      this.#enter(() => {
        waiting = false;
        socket.resume();
      });
    });
  }

  #enter(resume: () => void): void {
    if (this.#line.push(resume) === 1) setImmediate(() => this.#next());
  }

  #next(): void {
    this.#line.shift()!();
    if (this.#line.length > 0) setImmediate(() => this.#next());
  }
}
