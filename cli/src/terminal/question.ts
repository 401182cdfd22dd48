import { createInterface } from 'node:readline/promises';
import { visible } from './output.ts';

/** Whether the answer to a question on the terminal is yes. */
export async function agrees(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${visible(question)} [y/N] `);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
