import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { after, test } from 'node:test';
import type { Restriction } from '@sosia/server/applications/references';
import { clusterAddress } from '@sosia/server/cluster/address';
import { Connection } from '@sosia/server/cluster/connection';
import { createOwnIndex } from '@sosia/server/cluster/picture-indexes';
import { setUpCluster } from '@sosia/server/cluster/set-up';
import { keyOf, Pictures } from '@sosia/server/cluster/pictures';
import { bestQuery, COPY_SCORE, shortlistQuery, termText } from '@sosia/server/cluster/search-query';
import { oneOf, randomFor, type Random } from '../pictures/random.ts';
import { startCluster, stopCluster } from './cluster.ts';
import { engineInstalled } from './engine.ts';

const skip = !engineInstalled() && 'OpenSearch is not installed: `npm run cluster -- install`';
const SEED = process.env['SEED'] ?? '7';
/** `ROUNDS=1000` for a long run. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 40);
const MOST = 10_000;

/** What the index has of a picture. */
interface Voter {
  readonly id: string;
  readonly terms: ReadonlySet<number>;
  readonly norm: number;
  readonly digest: string;
  readonly keywords: readonly string[];
}

const keywords = ['red', 'rot é', '😀'];
const digests = ['one', 'two', 'three', 'four'];
const letters = ['a', 'B', 'ä', '😀', '～', 'é', 'z'];

test(`the cluster counts the votes of the rule (seed ${SEED}, ${ROUNDS} rounds)`, { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-votes-'));
  after(() => stopCluster(folder));
  const [node] = await startCluster(folder, { nodes: 1, javaOptions: ['-XX:TieredStopAtLevel=1'] });
  const connection = new Connection(clusterAddress(`${node!.url}/votes`));
  t.after(() => connection.close());
  await setUpCluster(connection);
  await createOwnIndex(connection, 1, 3);
  const pictures = Pictures.of(connection, 1);

  const random = randomFor('votes', SEED);
  const present = new Map<string, Voter>();
  let compared = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await change(pictures, present, random);
    if (round % 50 === 30) await merge(pictures);
    const [variants, digest] = [queryOf(random), oneOf(random, digests)];
    const restriction = {
      keywords: keywords.filter(() => random() < 0.15),
      ids: random() < 0.2 ? [...present.keys()].filter(() => random() < 0.5) : null,
    };
    const hits = await pictures.documents(shortlistQuery({ variants, digest }, restriction, { start: 0, count: MOST }));
    const found = hits.map(({ sort }) => ({ id: sort![1], score: sort![0] }));
    const expected = expectedOf(present, variants, digest, restriction);
    assert.deepEqual(found, expected, `round ${round}`);
    const both = await pictures.documents(bestQuery({ variants, digest }, restriction, MOST));
    const copies = copiesOf(present, digest, restriction).map((id) => ({ id, score: COPY_SCORE }));
    const first = both.map(({ sort }) => ({ id: sort![1], score: sort![0] }));
    assert.deepEqual(first, [...copies, ...expected].slice(0, MOST), `round ${round}, with copies`);
    compared += found.length;
  }
  assert.ok(compared > 20 * ROUNDS, `only ${compared} scores were compared`);
  t.diagnostic(`${compared} scores of ${ROUNDS} queries`);
});

/** The rule of `TermRule`, read plainly. */
function expectedOf(
  present: ReadonlyMap<string, Voter>,
  variants: readonly Uint32Array[],
  digest: string,
  restriction: Restriction,
) {
  return [...present.values()]
    .filter((voter) => voter.digest !== digest && meets(voter, restriction))
    .map(({ id, terms, norm }) => {
      const votes = variants.map((queried) => queried.filter((term) => terms.has(term)).length);
      return { id, score: Math.floor((65_536 * Math.max(...votes)) / norm) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || bytewise(a.id, b.id));
}

const bytewise = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function copiesOf(present: ReadonlyMap<string, Voter>, digest: string, restriction: Restriction): string[] {
  const copies = [...present.values()].filter((voter) => voter.digest === digest && meets(voter, restriction));
  return copies.map(({ id }) => id).sort(bytewise);
}

function meets(voter: Voter, { keywords, ids }: Restriction): boolean {
  return keywords.every((keyword) => voter.keywords.includes(keyword)) && (!ids || ids.includes(voter.id));
}

async function merge(pictures: Pictures): Promise<void> {
  await pictures.merge();
  while ((await pictures.shards()).some(({ segments }) => segments > 1)) await pause(20);
}

/** Most terms are among a few, so that pictures share them. */
const term = (random: Random): number => Math.floor(random() ** 3 * 3000) * 89_478;

function queryOf(random: Random): Uint32Array[] {
  return Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const count = 1 + Math.floor(random() ** 2 * 1500);
    return Uint32Array.from(new Set(Array.from({ length: count }, () => term(random))));
  });
}

/** Adds, replaces and deletes some pictures. */
async function change(pictures: Pictures, present: Map<string, Voter>, random: Random): Promise<void> {
  const lines: object[] = [];
  for (let i = 0; i < 12; i++) {
    const id = `${oneOf(random, letters)}${Math.floor(random() * 200)}`;
    if (random() < 0.2) {
      lines.push({ delete: { _id: keyOf(1, id) } });
      present.delete(id);
      continue;
    }
    const terms = new Set(Array.from({ length: 1 + Math.floor(random() * 400) }, () => term(random)));
    const norm = random() < 0.5 ? 128 : 128 + Math.floor(random() * 4000);
    const own = keywords.filter(() => random() < 0.4);
    const voter: Voter = { id, terms, norm, digest: oneOf(random, digests), keywords: own };
    lines.push({ index: { _id: keyOf(1, id) } }, { ...voter, change: 'c', terms: [...terms].map(termText).join(' ') });
    present.set(id, voter);
  }
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const reply = await pictures.send({ method: 'POST', path: '_bulk?refresh=true', body, changes: true });
  assert.equal((reply.body as unknown as { errors: boolean }).errors, false);
}
