import { Child, type Trade } from '../workers/confined-child.ts';
import { checkedAnswer, LARGEST_DECODED_SIDE, type Answer, type Done } from './protocol.ts';

const trade: Trade<Answer> = {
  script: new URL('./decode.child.js', import.meta.url),
  dataLimit: 400 * 1024,
  largestAnswer: 3 * LARGEST_DECODED_SIDE ** 2,
  check: (frame, asked) => checkedAnswer(frame, asked as Done['done']),
  failures: { late: 'DECODE_TIMEOUT', crashed: 'DECODER_CRASHED' },
};

/** A decode child as the server sees it. */
export class DecodeChild extends Child<Answer> {
  constructor(user: number) {
    super(trade, user);
  }
}
