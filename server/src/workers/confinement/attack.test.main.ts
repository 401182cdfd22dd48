/**
 * A server, one of whose children has been taken over: prints the attempts of that child that worked and those that were
 * refused, and to whom its files in /proc belong, as JSON. With `--unconfined` the child is an ordinary process, to show that the attempts would work.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import koffi from 'koffi';
import { ConfinedChild, type ChildKind } from '../confined-child.ts';
import { readFrames, writeFrame } from '../frames.ts';
import { attempts, replacements, THREAD, type Targets } from './attempts.test.kit.ts';
import { NOBODY } from './launch.ts';

interface Tried {
  readonly rss: number;
  readonly worked: boolean;
}

const script = new URL(`./stand-in.test.child${extname(import.meta.url)}`, import.meta.url);
const kind: ChildKind<Tried> = {
  name: 'stand-in',
  script,
  memory: 400 * 2 ** 20,
  largestAnswer: 0,
  check: ({ head }) => head as Tried,
  failures: { late: 'DECODE_TIMEOUT', crashed: 'DECODER_CRASHED' },
};

interface Started {
  readonly pid: number;
  readonly ask: (attempt: string) => Promise<boolean>;
}

const folder = mkdtempSync(join(tmpdir(), 'sosia-attack-'));
for (const name of ['secret', 'spare', 'program.js']) writeFileSync(join(folder, name), 'not for children');
const secret = Buffer.from('a secret');
const bystander = spawn('sleep', ['600']);
const tcp4 = createServer().listen(0, '127.0.0.1');
const tcp6 = createServer().listen(0, '::1');
const unix = createServer().listen(join(folder, 'socket'));
const udp4 = createSocket('udp4').bind(0, '127.0.0.1');
await Promise.all([tcp4, tcp6, unix, udp4].map((each) => once(each, 'listening')));
const targets: Targets = {
  folder,
  program: join(folder, 'program.js'),
  node: process.execPath,
  server: process.pid,
  bystander: bystander.pid!,
  address: String(koffi.address(secret)),
  tcp4: (tcp4.address() as AddressInfo).port,
  tcp6: (tcp6.address() as AddressInfo).port,
  udp4: udp4.address().port,
  unix: join(folder, 'socket'),
};

const start = process.argv.includes('--unconfined') ? unconfined : confined;
const worked: string[] = [];
const refused: string[] = [];
const first = await start();
const owner = statSync(`/proc/${first.pid}/environ`).uid;
let { ask } = first;
for (const attempt of [...Object.keys(attempts), THREAD, ...Object.keys(replacements)]) {
  try {
    ((await ask(attempt)) ? worked : refused).push(attempt);
  } catch {
    worked.push(attempt); // it is another program now, or not in a state to answer: both more than a refusal
    ({ ask } = await start());
  }
}
process.stdout.write(JSON.stringify({ user: process.getuid!(), owner, worked, refused }), () => {
  bystander.kill();
  rmSync(folder, { recursive: true });
  process.exit();
});

async function confined(): Promise<Started> {
  const child = new ConfinedChild(kind, NOBODY);
  if (!(await child.ready)) throw new Error(`${await child.ended}; ${child.stderr()}`);
  const ask = async (attempt: string): Promise<boolean> => {
    const task = { kind: 'attempt', attempt, targets };
    const { answer } = await child.run(task, new Uint8Array(), 20_000);
    return answer.worked;
  };
  return { pid: child.pid!, ask };
}

async function unconfined(): Promise<Started> {
  const command = [fileURLToPath(script), 'unconfined'];
  const child: ChildProcess = spawn(process.execPath, command, { stdio: ['pipe', 'ignore', 'inherit', 'pipe'] });
  child.stdin!.on('error', () => {});
  const answers = readFrames(child.stdio[3] as Readable, 0);
  const ask = async (attempt: string): Promise<boolean> => {
    writeFrame(child.stdin!, { attempt, targets }, new Uint8Array());
    const { done, value } = await answers.next();
    if (done) throw new Error('the process has ended');
    return (value.head as Tried).worked;
  };
  return { pid: child.pid!, ask };
}
