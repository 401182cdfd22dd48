import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DecoderPool } from '@sosia/server';
import { createApplication, startServer } from '@sosia/testing/service/server';
import { median } from '@sosia/testing/statistics';

/** Milliseconds, medians over the same picture files asked one after another. */
export interface Answering {
  /** Decoding and describing in a child, which every operation that takes a picture does. */
  readonly describe: number;
  /** Filter, from the request to the answer over HTTP. */
  readonly answer: number;
  /** The median of the differences, picture by picture. */
  readonly more: number;
}

/** Times Filter against nothing but the description of the same picture, in turns, so that other load meets both. */
export async function answering(paths: readonly string[]): Promise<Answering> {
  const data = mkdtempSync(join(tmpdir(), 'sosia-filter-'));
  const key = createApplication(data, 'filter');
  const server = await startServer(data);
  const pool = await DecoderPool.start({ children: 1 });
  const [describing, asking, differences]: number[][] = [[], [], []];
  try {
    for (const path of paths) {
      const file = readFileSync(path);
      const describe = await timed(() => pool.describe(file, 'filter', 'query'));
      const answer = await timed(() => ask(`${server.query}/api/v2.0/enginequery/json/Filter`, key, file));
      describing!.push(describe);
      asking!.push(answer);
      differences!.push(answer - describe);
    }
  } finally {
    await pool.close();
    await server.stop();
    rmSync(data, { recursive: true });
  }
  const warm = (values: number[]): number => median(values.slice(Math.floor(values.length / 4)));
  return { describe: warm(describing!), answer: warm(asking!), more: warm(differences!) };
}

async function ask(url: string, key: string, file: Buffer): Promise<void> {
  const form = new FormData();
  form.set('application_key', key);
  form.set('query_image', new Blob([Uint8Array.from(file)]));
  const answer = await fetch(url, { method: 'POST', body: form });
  const { status, scores } = (await answer.json()) as { status: { code: number }; scores: object };
  if (status.code !== 0 || Object.keys(scores).length === 0) throw new Error(`Filter answered ${status.code}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
