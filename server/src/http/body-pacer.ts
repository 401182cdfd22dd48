import type { IncomingMessage } from 'node:http';
import { LoopQueue } from './loop-queue.ts';

/** Pieces of a body that a connection may deliver in one iteration of the event loop. */
const PIECES = 256;

/**
 * Serializes connections whose bodies arrive in very small HTTP chunks. Each chunk costs about a microsecond,
 * independently of its size. One read of a socket delivers 10,000 of them, and the event loop reads every socket with
 * data before anything else. So a connection with more than 256 pieces in an iteration of the loop waits in a queue, and one
 * connection of the queue is read per iteration. Small chunks are not refused, since some clients send them.
 */
export class BodyPacer {
  readonly #queue = new LoopQueue();
  readonly #paced = new WeakSet<IncomingMessage>();

  /** Starts the flow of the body; pieces without a listener are discarded. */
  pace(request: IncomingMessage): void {
    if (this.#paced.has(request)) return;
    this.#paced.add(request);

    const { socket } = request;
    const read = request._read.bind(request);
    let pieces = 0;
    let waiting = false;
    // Node requests more after each piece, which would resume the socket
    request._read = (size) => {
      if (!waiting) read(size);
    };
    request.on('data', () => {
      if (pieces === 0) setImmediate(() => (pieces = 0));
      if (++pieces <= PIECES || waiting) return;
      waiting = true;
      socket.pause();
      this.#queue.push(() => {
        waiting = false;
        socket.resume();
      });
    });
  }
}
