// Clients of a real server: `powercut-clients.js FOLDER`. Says on stdout, unbuffered, `TRY x` before each change and `ACK x` once
// the answer is there, x being `add ID`, `delete ID`, `application`, or `default N` for its default number of results.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { samplesFolder } from '@sosia/fixtures';
import { createApplication, startServer, type Server } from '@sosia/testing/service/server';
import { ask, type Values } from '../ask.ts';

const CLIENTS = 8;
const ADDS_EACH = 12;

const sosia = fileURLToPath(new URL('../../../cli/bin/sosia.js', import.meta.url));
const folder = process.argv[2]!;

const say = (word: 'TRY' | 'ACK', what: string) => writeSync(1, `${word} ${what}\n`);

async function asked<T>(what: string, change: () => T | Promise<T>): Promise<T> {
  say('TRY', what);
  const done = await change();
  say('ACK', what);
  return done;
}

// a folder that anything was ever done to can be opened, from the very first moment
say('TRY', 'open');
say('ACK', 'open');

const application_key = await asked('application', () => createApplication(folder, 'media-matching'));
let server = await startServer(folder, '--log-level', 'error');

async function change(operation: 'AddImage' | 'DeleteImage', image_id: string, values: Values = {}): Promise<void> {
  await asked(`${operation === 'AddImage' ? 'add' : 'delete'} ${image_id}`, async () => {
    const { status } = await ask(server, `modify/${operation}`, { application_key, image_id, ...values });
    if (status.code !== 0) throw new Error(`${operation} of ${image_id} answered ${status.code} ${status.message}`);
  });
}

/** Adds pictures as files, which are stored with thumbnails. @returns their DNA in base64 */
async function addSamples(server: Server): Promise<string[]> {
  const names = readdirSync(samplesFolder).filter((name) => name.endsWith('.jpg'));
  const all: string[] = [];
  for (const image_id of names.slice(0, 3)) {
    await change('AddImage', image_id, { image_content: readFileSync(join(samplesFolder, image_id)) });
    all.push((await ask(server, 'modify/GetDnaById', { application_key, image_id })).dna!.dna);
  }
  return all;
}

/** The first keyword names the DNA, so that whoever reads the picture later can compare the two. */
async function client(life: number, name: number, all: readonly string[]): Promise<void> {
  for (let i = 0; i < ADDS_EACH; i++) {
    const dna = all[(i + name) % all.length]!;
    const digest = createHash('sha256').update(Buffer.from(dna, 'base64')).digest('hex');
    const id = `${life}-${name}-${i}`;
    await change('AddImage', id, { dna, keywords: [digest, id] });
    if ((i + name) % 3 === 0) await change('DeleteImage', id);
  }
}

const all = await addSamples(server);
await Promise.all(Array.from({ length: CLIENTS }, (_, name) => client(0, name, all)));
await asked('default 77', () =>
  execFileSync(process.execPath, [sosia, 'app', 'set', '1', '--nb-results', '77', '--data', folder]),
);
await server.stop();
server = await startServer(folder, '--log-level', 'error');
await Promise.all(Array.from({ length: CLIENTS }, (_, name) => client(1, name, all)));
await change('DeleteImage', '0-1-0');
await server.stop();
