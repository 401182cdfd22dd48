import { benchmark, countOf, ofTheService, missingCorpora } from '../harness/benchmark.ts';
import { measureCatalogue } from './catalogue.ts';
import { measureService } from './service.ts';
import { measureStore } from './store.ts';

/** The figures of the largest size that matter most. */
const shown = [
  'first searches by DNA, median, ms of processor',
  'search by DNA, median, ms of processor',
  'search by DNA, 95 %, ms of processor',
  'start after a stop, ms',
  'start after a kill, ms',
  'memory after searches, MB',
  'disk a picture, bytes',
  'memory a picture, bytes',
  'slowest of 10,000 adds, ms',
  'slowest page, ms',
  'filter by half of the pictures, ms',
  'reading from the store, ms',
];

export default benchmark({
  title: 'Scale: 100,000 pictures',
  kind: 'speed',
  about: 'Features drawn from real pictures, one client. Entries: ids and keywords, no service.',
  missing: missingCorpora('photos'),
  targets: {
    'memory a picture, bytes': '<= 120',
    'slowest of 10,000 adds, ms': '<= 20',
    'slowest page, ms': '<= 20',
    'search by DNA, median, ms of processor': '<= 30',
    'start after a stop, ms': '<= 5000',
    'start after a kill, ms': '<= 10000',
    'memory after searches, MB': '<= 4096',
    'disk a picture, bytes': '<= 20000',
  },
  options: { sizes: '10000,100000', alone: '10000,100000,1000000', added: 10_000, kept: '' },
  size: ({ sizes, alone, added }) => {
    const [pictures, entries] = [sizes, alone].map((list) => countOf(list.split(',').at(-1)!));
    return {
      'memory a picture': `${entries} entries`,
      slowest: `${entries} entries`,
      filter: `${entries} entries`,
      reading: `${entries} pictures`,
      'first searches': `${pictures} pictures, 100 queries`,
      search: `${pictures} pictures, 100 queries`,
      'start after a kill': `${pictures} pictures, ${countOf(added)} not saved`,
      '': `${pictures} pictures`,
    };
  },
  measures: ofTheService,
  async run({ sizes, alone, added, kept }) {
    const [services, catalogues] = [sizes, alone].map((list) => list.split(',').filter(Boolean).map(Number));
    // first, since the garbage of the others would be collected meanwhile
    const catalogue = catalogues!.map(measureCatalogue);
    const store = [];
    for (const size of catalogues!) store.push(await measureStore(size));
    const service = [];
    for (const size of services!) service.push(await measureService(size, added, kept));
    const figures = Object.entries({ ...catalogue.at(-1), ...store.at(-1), ...service.at(-1) });
    return {
      figures: Object.fromEntries(figures.filter(([name]) => shown.includes(name))),
      tables: { service, catalogue, store },
    };
  },
});
