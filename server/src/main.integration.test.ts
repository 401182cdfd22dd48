import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { editedFolder, samplesFolder } from '@sosia/fixtures';
import { createApplication } from './applications/create.ts';
import { readConfig } from './config.ts';
import { createLog, startServer } from './main.ts';
import type { RunningServer } from './main.ts';
import { formOf, type Values } from './service.test.kit.ts';
import { openApplicationStore } from './store/application-store.ts';

const home = mkdtempSync(join(tmpdir(), 'sosia-main-'));
const started: RunningServer[] = [];
after(async () => {
  for (const server of started) await server.close();
  rmSync(home, { recursive: true });
});
const log = createLog('silent');

async function start(folder: string, workers = 1): Promise<RunningServer> {
  const env = {
    SOSIA_DATA: join(home, folder),
    SOSIA_MODIFY_PORT: '0',
    SOSIA_QUERY_PORT: '0',
    SOSIA_SEARCH_WORKERS: String(workers),
    SOSIA_DECODE_WORKERS: '1',
    SOSIA_STOP_GRACE: '0',
  };
  const server = await startServer(readConfig({ env }), log);
  started.push(server);
  return server;
}

function keyIn(folder: string): string {
  const store = openApplicationStore(join(home, folder));
  const { key } = createApplication(store, { type: 'media-matching', name: 'test' });
  store.close();
  return key;
}

/** The unmodified body. */
async function ask(port: number, operation: string, values: Values): Promise<string> {
  const family = operation.startsWith('Search') ? 'enginequery' : 'enginemodify';
  const response = await fetch(`http://127.0.0.1:${port}/api/v2.0/${family}/json/${operation}`, {
    method: 'POST',
    body: formOf(values),
  });
  return response.text();
}

const picturesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jpg'))
    .map((name) => join(folder, name));

interface Reference {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly dna: string;
}

async function addAll(server: RunningServer, key: string, references: readonly Reference[]): Promise<void> {
  for (const { id, keywords, dna } of references) {
    const body = await ask(server.modifyPort, 'AddImage', { application_key: key, image_id: id, keywords, dna });
    assert.match(body, /"code":0,/);
  }
}

/** Every sample under three ids whose order differs by UTF-8 and by UTF-16, so that most places of a list are ties. */
function referencesOf(dnas: ReadonlyMap<string, string>): Reference[] {
  return [...dnas].flatMap(([name, dna], i) =>
    ['😀', '\u{f000}', 'a'].map((prefix, j) => ({
      id: `${prefix}${name}`,
      keywords: [`group-${i % 3}`, `copy-${j}`],
      dna,
    })),
  );
}

/** 100 queries: all samples, with filters and pages. */
function questions(references: readonly Reference[]): [operation: string, values: Values][] {
  const ids = references.map(({ id }) => id);
  return Array.from({ length: 100 }, (_, i): [string, Values] => {
    const { id, dna } = references[(i * 11) % references.length]!;
    const filter: Values = [
      {},
      { keywords: [`copy-${i % 3}`] },
      { ids_list: ids.filter((_, j) => (i + j) % 3 > 0).join(';') },
      { starting_index: '1', nb_results: '2' },
    ][i % 4]!;
    return i % 2 ? ['SearchImageById', { image_id: id, ...filter }] : ['SearchImageByDna', { dna, ...filter }];
  });
}

test('100 searches return the same bytes after a restart, in another order of insertion, after a rebuild, with 1, 2 and 4 threads', async () => {
  const dnas = new Map<string, string>();
  const first = keyIn('first');
  let server = await start('first');
  for (const path of [...picturesIn(samplesFolder), ...picturesIn(editedFolder)]) {
    const name = basename(path);
    const values = { application_key: first, image_id: name };
    const image_content = readFileSync(path);
    assert.match(await ask(server.modifyPort, 'AddImage', { ...values, image_content }), /"code":0,/);
    dnas.set(name, JSON.parse(await ask(server.modifyPort, 'GetDnaById', values)).dna.dna);
    await ask(server.modifyPort, 'DeleteImage', values);
  }
  const references = referencesOf(dnas);
  const queries = questions(references);
  const answers = async (key: string): Promise<string[]> => {
    const bodies: string[] = [];
    for (const [operation, values] of queries) {
      bodies.push(await ask(server.queryPort, operation, { application_key: key, ...values }));
    }
    return bodies;
  };

  await addAll(server, first, references);
  const expected = await answers(first);
  assert.equal(new Set(expected).size > 50, true, 'the questions are too much alike');
  assert.ok(expected.every((body) => body.includes('"code":0,') && body.includes('"score":0,')));
  assert.ok(expected.filter((body) => /"score":0\.\d/.test(body)).length > 5, 'too few results beside exact copies');
  assert.deepEqual(await answers(first), expected, 'repeated');
  await server.close();

  server = await start('first', 2);
  assert.deepEqual(await answers(first), expected, 'after a restart, with 2 threads');
  await server.close();

  const second = keyIn('second');
  server = await start('second', 4);
  await addAll(server, second, references.toReversed());
  assert.deepEqual(await answers(second), expected, 'added in the other order, with 4 threads');
  for (const { id } of references.filter((_, i) => i % 2)) {
    await ask(server.modifyPort, 'DeleteImage', { application_key: second, image_id: id });
  }
  await addAll(
    server,
    second,
    references.filter((_, i) => i % 2),
  );
  assert.deepEqual(await answers(second), expected, 'half deleted and added again');
  await server.close();
});

test('a folder in use by a server and a port in use are refused, and nothing stays open', async () => {
  keyIn('held');
  const server = await start('held');
  await assert.rejects(start('held'), /in use by another server/);
  const config = readConfig({ env: { SOSIA_DATA: join(home, 'other'), SOSIA_MODIFY_PORT: String(server.modifyPort) } });
  await assert.rejects(startServer(config, log), /EADDRINUSE/);
  await server.close();
  const again = await start('held');
  await again.close();
  const other = await start('other');
  await other.close();
});

test('a start without the keys of administrators, on a damaged page, serves all applications', async () => {
  const key = keyIn('damaged-administrators');
  const path = join(home, 'damaged-administrators', 'applications.db');
  const bytes = readFileSync(path);
  const pages = bytes.length / 4096;
  // the table of administrators is the last one made
  writeFileSync(path, bytes.fill(0, (pages - 1) * 4096));
  const { modifyPort, administratorKey } = await start('damaged-administrators');
  assert.equal(administratorKey, undefined);
  const answer = JSON.parse(await ask(modifyPort, 'GetApplicationStatus', { application_key: key })) as {
    status: { code: number };
  };
  assert.equal(answer.status.code, 0);
});
