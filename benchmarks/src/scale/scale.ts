import { benchmark } from '../harness/benchmark.ts';
import { measureCatalogue } from './catalogue.ts';
import { measureStore } from './store.ts';

/** The figures of the largest size that matter most. */
const shown = [
  'memory a picture, bytes',
  'slowest of 10,000 adds, ms',
  'slowest page, ms',
  'filter by half of the pictures, ms',
  'reading from the store, ms',
];

export default benchmark({
  title: 'Scale: ids and keywords of a million pictures',
  kind: 'speed',
  about: 'A million made-up ids with three keywords, without an index. Times are processor times, unless by the clock.',
  targets: { 'memory a picture, bytes': '<= 120', 'slowest of 10,000 adds, ms': '<= 20', 'slowest page, ms': '<= 20' },
  options: { sizes: '10000,100000,1000000' },
  async run({ sizes }) {
    const all = sizes.split(',').map(Number);
    const catalogue = all.map(measureCatalogue);
    const store = [];
    for (const size of all) store.push(await measureStore(size));
    const figures = Object.fromEntries(
      Object.entries({ ...catalogue.at(-1)!, ...store.at(-1)! }).filter(([name]) => shown.includes(name)),
    );
    return { figures, tables: { catalogue, store } };
  },
});
