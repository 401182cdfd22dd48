import { writeSync } from 'node:fs';
import type { Content, Ledger } from './ledger.ts';

// A program that may be killed at any moment writes its ledger to stdout line by line, unbuffered: ["try", id, content], ["ack", id].

export function announceTry(id: string, content: Content): void {
  writeSync(1, `${JSON.stringify(['try', id, content])}\n`);
}

export function announceAck(id: string): void {
  writeSync(1, `${JSON.stringify(['ack', id])}\n`);
}

/** Makes a change between the two lines. */
export async function announced<T>(id: string, content: Content, change: () => T | Promise<T>): Promise<T> {
  announceTry(id, content);
  const result = await change();
  announceAck(id);
  return result;
}

export function isAck(line: string): boolean {
  return line.startsWith('["ack"');
}

/** Notes a line that a program has announced. */
export function noteLine(ledger: Ledger, line: string): void {
  const [word, id, content] = JSON.parse(line) as [word: string, id: string, content: Content];
  if (word === 'try') ledger.try(id, content);
  else ledger.acknowledge(id);
}
