import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { samplesFolder } from '@sosia/fixtures';
import { decodePicture } from '@sosia/server/decode';
import { benchmark } from '../harness/benchmark.ts';
import { timesOf } from '../harness/timing.ts';
import { comparing, describing, training, type Cases } from './cases.ts';

export default benchmark({
  title: 'Kernels in WebAssembly',
  kind: 'speed',
  about: '512 x 341 pixels, 2,000 features.',
  options: {},
  size: () => '1 picture',
  measures: ['engine/assembly', 'engine/src/kernels'],
  async run() {
    const picture = await decodePicture(await readFile(join(samplesFolder, 'kodim01.jpg')), 512);
    const rowsOf = async (use: string, cases: Cases) =>
      Object.entries(await timesOf(cases)).map(([kernel, { best, median }]) => ({ kernel, use, best, median }));
    const rows = [
      ...(await rowsOf('description', describing(picture))),
      ...(await rowsOf('FineComparison', comparing(picture))),
      ...(await rowsOf('training', training(picture))),
    ];
    const sum = (use: string) => rows.filter((row) => row.use === use).reduce((total, { best }) => total + best, 0);
    return {
      figures: {
        'kernels of a description, each once, ms': sum('description'),
        'kernels of FineComparison, each once, ms': sum('FineComparison'),
      },
      tables: { 'kernels, ms': rows },
    };
  },
});
