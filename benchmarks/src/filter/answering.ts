import { readFileSync } from 'node:fs';
import { Decoder } from '@sosia/server';
import { startService } from '@sosia/testing/service/service';
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
  const service = await startService();
  const sosia = service.client(service.createApplication('filter'));
  const pool = await Decoder.start({ children: 1 });
  const [describing, asking, differences]: number[][] = [[], [], []];
  try {
    for (const path of paths) {
      const file = readFileSync(path);
      const describe = await timed(() => pool.describe(file, 'filter', 'query'));
      const answer = await timed(() => sosia.classify(file));
      describing!.push(describe);
      asking!.push(answer);
      differences!.push(answer - describe);
    }
  } finally {
    await pool.close();
    await service.close();
  }
  const warm = (values: number[]): number => median(values.slice(Math.floor(values.length / 4)));
  return { describe: warm(describing!), answer: warm(asking!), more: warm(differences!) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
