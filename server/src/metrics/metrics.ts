import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { instruments } from './instruments.ts';
import type { CounterName, GaugeName, HistogramName, Instrument, InstrumentName } from './instruments.ts';

export type Labels = Readonly<Record<string, string | number>>;

/** The current values of a gauge, one for each combination of its labels. */
export type Reading = readonly (readonly [value: number, labels?: Labels])[];

/** The metrics of one running service. Its parts increment counters; gauges are read at each scrape. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #families = new Map<InstrumentName, Counter | Gauge | Histogram>();
  readonly #readers = new Map<GaugeName, () => Reading | Promise<Reading>>();

  constructor() {
    for (const [name, instrument] of Object.entries(instruments)) {
      this.#families.set(name as InstrumentName, this.#family(name as InstrumentName, instrument));
    }
  }

  count(name: CounterName, labels: Labels = {}, by = 1): void {
    (this.#families.get(name) as Counter).inc(labels, by);
  }

  observe(name: HistogramName, seconds: number, labels: Labels = {}): void {
    (this.#families.get(name) as Histogram).observe(labels, seconds);
  }

  /** Observes how long `work` takes, however it ends. */
  async time<T>(name: HistogramName, labels: Labels, work: () => Promise<T>): Promise<T> {
    const begin = performance.now();
    try {
      return await work();
    } finally {
      this.observe(name, (performance.now() - begin) / 1000, labels);
    }
  }

  /** Registers `read`, which returns the value of the gauge at each scrape. */
  sample(name: GaugeName, read: () => Reading | Promise<Reading>): void {
    this.#readers.set(name, read);
  }

  /** Adds the metrics of the Node process: memory, heap, processor time, event loop delay, open files. */
  sampleProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
    // gauges named as counters; the families without the suffix have the same figures
    for (const what of ['resources', 'handles', 'requests'])
      this.#registry.removeSingleMetric(`nodejs_active_${what}_total`);
  }

  /** Everything in Prometheus' text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  #family(key: InstrumentName, { kind, name, labels, about, buckets }: Instrument): Counter | Gauge | Histogram {
    const common = { name, help: about.replaceAll('`', ''), labelNames: [...labels], registers: [this.#registry] };
    if (kind === 'counter') return new Counter(common);
    if (kind === 'histogram') return new Histogram({ ...common, buckets: [...buckets!] });
    const readers = this.#readers;
    return new Gauge({
      ...common,
      async collect() {
        const read = readers.get(key as GaugeName);
        const reading = await Promise.resolve(read?.()).catch(() => undefined); // one that fails is absent
        this.reset(); // a combination of labels that is no longer there must not stay at its last value
        if (labels.length === 0) this.remove(); // its 0 would be a value
        for (const [value, its = {}] of reading ?? []) this.set(its, value);
      },
    });
  }
}
