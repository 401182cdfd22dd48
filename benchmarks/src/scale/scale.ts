import { benchmark } from '../harness/benchmark.ts';
import { measureCatalogue } from './catalogue.ts';
import { measureStore } from './store.ts';

export default benchmark({
  title: 'Scale: ids and keywords up to a million pictures',
  kind: 'speed',
  about:
    'Made-up ids of 20 bytes with three keywords, without an index. Times are processor times of all threads, unless by the clock. The stored DNA has 64 bytes.',
  targets: { 'memory a picture, bytes': '<= 120', 'slowest of 10,000 adds, ms': '<= 20', 'slowest page, ms': '<= 20' },
  options: { sizes: '10000,100000,1000000' },
  async run({ sizes }) {
    const all = sizes.split(',').map(Number);
    const catalogue = all.map(measureCatalogue);
    const store = [];
    for (const size of all) store.push(await measureStore(size));
    const { 'load, µs a picture': _, ...figures } = catalogue.at(-1)!;
    return { figures: { ...figures, ...store.at(-1)! }, tables: { catalogue, store } };
  },
});
