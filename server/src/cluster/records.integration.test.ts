import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { twoProcesses } from './processes.test.kit.ts';
import { ClusterRecords } from './records.ts';

// A process is stopped after it has checked its lease and before it writes. Of the cluster there are documents that change only for who
// knows their versions, as in OpenSearch. The clock is moved by hand.

interface Stored {
  readonly source: unknown;
  readonly version: number;
}

const documents = new Map<string, Stored>();
let versions = 0;
/** What holds the next bulk up. */
let stop: Promise<void> | undefined;
let stopped = (): void => {};

/** @param expected  0 for no document, undefined for any */
function put(id: string, source: unknown, expected?: number): { readonly status: number } {
  const version = documents.get(id)?.version ?? 0;
  if (expected !== undefined && expected !== version) return { status: 409 };
  documents.set(id, { source, version: ++versions });
  const outcome = { _seq_no: versions, _primary_term: 1, _shards: { total: 3, successful: 3 } };
  return { status: 200, ...outcome };
}

function found(id: string): object {
  const known = documents.get(id);
  return known ? { found: true, _seq_no: known.version, _primary_term: 1, _source: known.source } : { found: false };
}

const cluster = createServer(async (request, response) => {
  const body = await text(request);
  const url = new URL(request.url!, 'http://a');
  const last = url.pathname.split('/').at(-1)!;
  const answer = (status: number, content: object): unknown =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
  if (last === '_refresh') return answer(200, { _shards: { failed: 0 } });
  if (last === '_mget') return answer(200, { docs: (JSON.parse(body) as { ids: string[] }).ids.map(found) });
  if (last === '_bulk') {
    const held = stop;
    stop = undefined;
    if (held) stopped();
    await held;
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const items: object[] = [];
    for (let i = 0; i < lines.length; i += 2) {
      const { index, create } = lines[i] as Record<string, { _id: string; if_seq_no?: number } | undefined>;
      const outcome = create ? put(create._id, lines[i + 1], 0) : put(index!._id, lines[i + 1], index!.if_seq_no);
      items.push(create ? { create: outcome } : { index: outcome });
    }
    return answer(200, { items });
  }
  if (request.method === 'GET') return answer(documents.has(last) ? 200 : 404, found(last));
  const outcome = put(last, JSON.parse(body), Number(url.searchParams.get('if_seq_no') ?? 0));
  return answer(outcome.status, outcome);
});

const processes = twoProcesses(cluster);

test('a process that is stopped between its check and its write overwrites nothing that came after it', async () => {
  const [first, second] = processes.connections.map((connection) => new ClusterRecords(connection)) as [
    ClusterRecords,
    ClusterRecords,
  ];
  const verdict = (text: string) => [{ kind: 'verdict', id: 'a', body: Buffer.from(text) }];
  const read = async (): Promise<string> => Buffer.from((await second.record(7, 'verdict', 'a'))!.body).toString();
  await first.exclusively(7, () => first.changeRecords(7, verdict('before')));
  assert.equal(await read(), 'before');

  let go = (): void => {};
  const isStopped = new Promise<void>((resolve) => (stopped = resolve));
  stop = new Promise((resolve) => (go = resolve));
  const late = first.exclusively(7, () => first.changeRecords(7, verdict('late')));
  const refused = assert.rejects(late, { error: 'CLUSTER_OUTCOME_UNKNOWN', message: /another node may continue/ });
  await isStopped;
  processes.seconds += 11; // the lease is not valid any more, and another process continues
  await second.changeRecords(7, verdict('after'));
  go();
  await refused;
  assert.equal(await read(), 'after');
});

test('records of one change that name the same twice keep the last, and removed ones are not there any more', async () => {
  const [records] = processes.connections.map((connection) => new ClusterRecords(connection)) as [ClusterRecords];
  const change = (body: string | null) => ({
    kind: 'verdict',
    id: 'b',
    body: body === null ? null : Buffer.from(body),
  });
  await records.changeRecords(7, [change('one'), change('two')]);
  assert.equal(Buffer.from((await records.record(7, 'verdict', 'b'))!.body).toString(), 'two');
  await records.changeRecords(7, [change(null)]);
  assert.equal(await records.record(7, 'verdict', 'b'), undefined);
});
