import { storeFinding } from './findings.ts';
import { targets } from './targets/targets.ts';
import { watched } from './watch.ts';

export { targets };

export interface Options {
  /** Of processor time. */
  readonly seconds: number;
  readonly seed: string | number;
  readonly blind?: boolean;
}

/** Fuzzes one target; prints what was done, writes what was found. @returns whether nothing was found */
export async function fuzz(name: string, { seconds, seed, blind = false }: Options): Promise<boolean> {
  const started = performance.now();
  const { executions, kept, characters, findings } = await watched({ target: name, seed, seconds, blind });
  const took = (performance.now() - started) / 1000;
  const figures = { seed, executions, perSecond: Math.round(executions / took), kept, characters };
  console.log(
    `${findings.length === 0 ? 'passed' : 'FAILED'}  ${name}  ${took.toFixed(1)} s  ${JSON.stringify(figures)}`,
  );
  for (const finding of findings) {
    console.log(`${storeFinding(name, finding)} (${finding.input.length} bytes): ${finding.fault}\n`);
  }
  return findings.length === 0;
}
