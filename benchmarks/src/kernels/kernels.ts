import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { samplesFolder } from '@sosia/fixtures';
import { decodePicture } from '@sosia/server/decode';
import { machine } from '@sosia/testing/machine';
import { mean } from '@sosia/testing/statistics';
import { figure, table, type Cell } from '@sosia/testing/table';
import { casesOf } from './cases.ts';

const LEAST_MS = 300;
const LEAST_RUNS = 5;

const picture = await decodePicture(await readFile(join(samplesFolder, 'kodim01.jpg')), 512);
console.log('## Kernels: WebAssembly beside plain TypeScript, one core\n');
console.log(`${machine()}\n`);
console.log(`A photograph of ${picture.width} x ${picture.height} pixels. Milliseconds: best run, mean ± deviation.
The twins are written to be read, as oracles of the tests.\n`);
const rows = casesOf(picture).map(({ name, work, wasm, twin }): Cell[] => {
  const fast = timesOf(wasm);
  const plain = timesOf(twin);
  const ratio = Math.min(...plain) / Math.min(...fast);
  return [name, work, figure(Math.min(...fast), 3), spread(fast, 3), spread(plain, 1), figure(ratio, 0)];
});
console.log(table(['kernel', 'work', 'best', 'WebAssembly', 'plain', 'times faster'], rows));

function timesOf(work: () => void): number[] {
  work(); // compiles, and fills caches
  const times: number[] = [];
  for (const end = performance.now() + LEAST_MS; times.length < LEAST_RUNS || performance.now() < end;) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  return times;
}

function spread(times: readonly number[], digits: number): string {
  const centre = mean(times);
  const deviation = Math.sqrt(mean(times.map((time) => (time - centre) * (time - centre))));
  return `${figure(centre, digits)} ± ${figure(deviation, digits)}`;
}
