import { DnaError, NETWORK_SIDES, profileScoreOf, typeDefinitions } from '@sosia/engine';
import type {
  Color,
  ColorCode,
  DescribeOptions,
  Explanation,
  Grade,
  ImageNumber,
  Prevalent,
  TypeDefinition,
  Side,
} from '@sosia/engine';
import type { Decoder, MarkedComparison } from '../decode/decoder.ts';
import { fail } from '../errors.ts';
import type { OnnxRunner } from '../onnx/onnx-runner.ts';
import type { Shards } from '../shards/shards.ts';
import { recordsOf } from '../store/store.ts';
import type { ApplicationRecord, ImageRecord, ImageStore } from '../store/store.ts';
import type { Application, Match, Matches, Overview, Page, Restriction } from './application.ts';
import { Catalogue } from './catalogue.ts';
import type { Entry } from './catalogue.ts';
import type { Profiles } from './profiles.ts';
import { KeyedMutex } from './keyed-mutex.ts';

/** What every application of a server shares. */
export interface Dependencies {
  readonly images: ImageStore;
  readonly shards: Shards;
  readonly decoder: Decoder;
  readonly onnx: OnnxRunner;
  readonly profiles: Profiles;
}

/**
 * An application with its pictures in memory. The store is written first, so that what is answered is durable; the
 * catalogue decides what exists. A picture that is in the index but not (or no longer) in the catalogue is never shown.
 */
export class HostedApplication implements Application {
  /** The application's row as it was last read. */
  record: ApplicationRecord;
  readonly #dependencies: Dependencies;
  readonly #catalogue = new Catalogue();
  readonly #mutex = new KeyedMutex();
  /** False for a type that has no references. */
  readonly #indexed: boolean;
  #dropped = false;

  constructor(record: ApplicationRecord, dependencies: Dependencies) {
    this.record = record;
    this.#dependencies = dependencies;
    this.#indexed = typeDefinitions[record.type].traits.references;
    // not waited for: calls reach the index in order, so whatever follows finds it open
    if (this.#indexed) dependencies.shards.open(record.number, record.type).catch(() => {});
  }

  get type() {
    return this.record.type;
  }
  get name() {
    return this.record.name;
  }
  get traits() {
    return typeDefinitions[this.record.type].traits;
  }
  get defaults() {
    return this.record.defaults;
  }
  get count() {
    return this.#catalogue.size;
  }
  get damaged() {
    const known = this.#dependencies.images.setAside(this.record.number);
    return known.reduce((sum, damage) => sum + recordsOf(damage), 0);
  }
  get state() {
    return this.#dependencies.images.state;
  }

  expectPicture(): void {
    this.#dependencies.decoder.checkRoomFor(this.record.number);
  }

  describe(content: Uint8Array, side: Side): Promise<Uint8Array> {
    return this.#dependencies.decoder.describe(content, this.record.type, side, this.record.number, this.#asked);
  }

  has(id: string): boolean {
    return this.#catalogue.withId(id) !== undefined;
  }

  async take(content: Uint8Array): Promise<{ dna: Uint8Array; thumbnail?: Uint8Array }> {
    if (this.record.thumbnails === false) return { dna: await this.describe(content, 'reference') };
    return this.#dependencies.decoder.keep(content, this.record.type, this.record.number, this.#asked);
  }

  async classify(content: Uint8Array): Promise<Record<string, number>> {
    const listed = this.record.profiles ?? [];
    const profiles = this.#dependencies.profiles.named(listed);
    if (profiles.length === 0)
      throw fail('NO_PROFILES', listed.length > 0 ? `none of ${listed.join(', ')} exists` : 'it lists none');
    const { decoder, onnx } = this.#dependencies;
    const { number } = this.record;
    // each of the two is made once, and only where a profile looks at it
    const looks = profiles.some((profile) => 'weights' in profile) ? await this.describe(content, 'query') : undefined;
    const picture = profiles.some((profile) => 'mark' in profile)
      ? await decoder.decode(content, NETWORK_SIDES.most, number)
      : undefined;
    const scores: [string, number][] = [];
    for (const profile of profiles) {
      const score =
        'weights' in profile ? profileScoreOf(profile, looks!) : await onnx.score(profile, picture!, number);
      scores.push([profile.name, score]);
    }
    return Object.fromEntries(scores);
  }

  compare(reference: Uint8Array, query: Uint8Array): Promise<MarkedComparison> {
    return this.#dependencies.decoder.compare(reference, query, this.record.number);
  }

  async grade(dna: Uint8Array, compared: boolean): Promise<Grade | undefined> {
    const own = this.#definition.grade?.(dna);
    if (!own || !compared) return own;
    const { images } = await this.search(dna, { keywords: [], ids: null }, { start: 0, count: 1 }, {});
    const same = images.find(
      ({ resultInfo }) => resultInfo && 'decision' in resultInfo && resultInfo.decision === 'Clone',
    );
    if (!same) return own;
    return { grade: Math.max(0, own.grade - 1), reasons: [...own.reasons, `nearly the same as ${same.id}`] };
  }

  receive(dna: Uint8Array, side: Side): Uint8Array {
    try {
      this.#definition.checkDna(dna, side);
    } catch (cause) {
      throw cause instanceof DnaError ? fail('BAD_DNA', cause.message) : cause;
    }
    return dna;
  }

  add(id: string, keywords: readonly string[], dna: Uint8Array, thumbnail?: Uint8Array): Promise<void> {
    return this.#mutex.run(id, async () => {
      if (this.#catalogue.withId(id)) throw fail('IMAGE_EXISTS', id);
      const image = { id, keywords, dna, ...(thumbnail && { thumbnail }) };
      const number = await this.#alive(this.#dependencies.images.append(this.record.number, image));
      await this.#index(number, dna);
      this.#catalogue.add({ number, id, keywords });
    });
  }

  delete(id: string): Promise<void> {
    return this.#mutex.run(id, async () => {
      const entry = this.#catalogue.withId(id);
      if (!entry) return this.#deleteDamaged(id);
      await this.#alive(this.#dependencies.images.remove(this.record.number, entry.number));
      this.#catalogue.remove(entry);
      await this.#alive(this.#dependencies.shards.remove(this.record.number, entry.number));
    });
  }

  async #deleteDamaged(id: string): Promise<void> {
    const damages = this.#dependencies.images.setAside(this.record.number);
    const numbers = damages.flatMap((damage) => (damage.id === id ? (damage.number ?? []) : []));
    if (numbers.length === 0) {
      const nameless = damages.reduce((sum, damage) => sum + (damage.id === undefined ? recordsOf(damage) : 0), 0);
      const besides = nameless > 0 ? `; ${nameless} damaged pictures are set aside whose ids cannot be read` : '';
      throw fail('IMAGE_NOT_FOUND', `${id}${besides}`);
    }
    for (const number of numbers) await this.#alive(this.#dependencies.images.remove(this.record.number, number));
  }

  image(id: string): Match {
    return shown(this.#entry(id));
  }

  thumbnailOf(id: string): Promise<Uint8Array | undefined> {
    return this.#alive(this.#dependencies.images.thumbnail(this.record.number, this.#entry(id).number));
  }

  dnaOf(id: string): Promise<Uint8Array> {
    return this.#alive(this.#dependencies.images.dna(this.record.number, this.#entry(id).number));
  }

  async search(
    dna: Uint8Array,
    restriction: Restriction,
    page: Page,
    options: { colorWeight?: number },
  ): Promise<Matches> {
    const { number, defaults } = this.record;
    const { found, hits, truncated } = await this.#alive(
      this.#dependencies.shards.search({
        application: number,
        query: dna,
        only: this.#catalogue.select(restriction),
        compare: this.#catalogue.compare,
        exists: (image) => this.#catalogue.withNumber(image) !== undefined,
        window: { ...page, below: defaults.retrievalThreshold },
        options: { colorWeight: options.colorWeight ?? defaults.colorWeight / 100 },
      }),
    );
    const images = hits.flatMap(({ image, score, resultInfo }) => {
      const entry = this.#catalogue.withNumber(image);
      return entry ? [shown(entry, score, resultInfo)] : [];
    });
    return { found, images, ...(truncated && { truncated }) };
  }

  async explain(dna: Uint8Array, id: string): Promise<Explanation | undefined> {
    const entry = this.#catalogue.withId(id);
    return entry && this.#alive(this.#dependencies.shards.explain(this.record.number, dna, entry.number));
  }

  colorsOf(dna: Uint8Array): Color[] {
    return this.#colors.of(dna);
  }

  searchColors(colors: readonly Color[], restriction: Restriction, page: Page): Promise<Matches> {
    return this.search(this.#colors.asQuery(colors), restriction, page, {});
  }

  palette(restriction: Restriction, colors: readonly number[]): Promise<Prevalent[]> {
    const only = this.#catalogue.select(restriction);
    return this.#alive(this.#dependencies.shards.palette(this.record.number, only, colors));
  }

  list(restriction: Restriction, page: Page, after?: string): Matches {
    const { found, entries } = this.#catalogue.page(restriction, page, after);
    return { found, images: entries.map((entry) => shown(entry)) };
  }

  /** Takes in what the store replays. Nobody else uses the application meanwhile. */
  async load(records: readonly ImageRecord[]): Promise<void> {
    const images = records.map(({ number, dna }) => ({ image: number, dna }));
    if (this.#indexed) await this.#dependencies.shards.add(this.record.number, images);
    for (const { number, id, keywords } of records) this.#catalogue.add({ number, id, keywords });
  }

  async overview(): Promise<Overview> {
    const { number, name, type, enabled } = this.record;
    const { bytes } = this.#indexed ? await this.#dependencies.shards.size(number) : { bytes: 0 };
    return { number, name, type, enabled, count: this.count, damaged: this.damaged, indexBytes: bytes };
  }

  /** Leaves the index. Work that is under way fails as if it had come later. */
  async drop(): Promise<void> {
    this.#dropped = true;
    if (this.#indexed) await this.#dependencies.shards.drop(this.record.number);
  }

  get #asked(): DescribeOptions {
    return { ignoreBackground: this.record.ignoreBackground ?? false };
  }

  get #definition(): TypeDefinition {
    return typeDefinitions[this.type];
  }

  get #colors(): ColorCode {
    const { colors } = this.#definition;
    if (!colors) throw fail('DOES_NOT_APPLY', `colours on ${this.traits.title} applications`);
    return colors;
  }

  #entry(id: string): Entry {
    const entry = this.#catalogue.withId(id);
    if (!entry) throw fail('UNKNOWN_IMAGE', id);
    return entry;
  }

  async #index(image: ImageNumber, dna: Uint8Array): Promise<void> {
    try {
      await this.#alive(this.#dependencies.shards.add(this.record.number, [{ image, dna }]));
    } catch (cause) {
      await this.#dependencies.images.remove(this.record.number, image);
      throw cause;
    }
  }

  async #alive<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (cause) {
      throw this.#dropped ? fail('UNKNOWN_APPLICATION') : cause;
    }
  }
}

function shown({ id, keywords }: Entry, score = 0, resultInfo: Match['resultInfo'] = null): Match {
  return { id, keywords, score, resultInfo };
}
