import { createHash } from 'node:crypto';
import { similarityOf } from '@sosia/contract/similarity';
import type { FileChanges, FileChoice, Origin } from '@sosia/contract';
import { definitionOf, DnaError } from '@sosia/engine';
import type {
  ApplicationType,
  ColorCode,
  DescribeOptions,
  Homography,
  Pdq,
  Side,
  Traits,
  TypeDefinition,
} from '@sosia/engine';
import type { Decoder, Kept, MarkedComparison } from '../decode/decoder.ts';
import { fail, isFailure } from '../errors.ts';
import type { OnnxRunner } from '../onnx/onnx-runner.ts';
import type { ApplicationDefaults, ApplicationRecord, Details, NewImage } from '../store/store.ts';
import { detailsOf } from './details.ts';
import { classify } from './classify.ts';
import { networkDna } from './network-dna.ts';
import type { Ignoring } from './ignoring.ts';
import type { ProfileSource } from './profiles.ts';
import type { Match, References, Status } from './references.ts';

/** A file of a writable source, as it was before it was moved. */
export interface PictureFile {
  readonly source: string;
  readonly entry: { readonly key: string; readonly version: string };
}

/** The files of pictures that lie in writable sources. A file that cannot be moved stays and is named. */
export interface PictureFiles {
  /** Undefined where no writable source has the picture. */
  fileOf(application: Application, id: string): Promise<PictureFile | undefined>;
  /** Removes a picture and its file. Fails with IMAGE_NOT_FOUND. */
  remove(application: Application, id: string, choice: Exclude<FileChoice, 'keep'>): Promise<FileChanges>;
  /** Moves the file of a removed picture back from the trash. */
  restore(application: Application, id: string, file: PictureFile): Promise<FileChanges>;
}

/** The file of a new picture, with its hash if that was made. */
export interface PictureToHash {
  readonly file: Uint8Array;
  readonly pdq?: Pdq | undefined;
}

/** What all applications of a server share. */
export interface Dependencies {
  readonly decoder: Decoder;
  readonly onnx: OnnxRunner;
  readonly profiles: ProfileSource;
  /** The pictures that a review judged not to match one. */
  readonly apart?: (application: Application, id: string) => Promise<ReadonlySet<string>>;
  /** What the ignore list takes of a query. */
  readonly ignoring?: (application: Application, dna: Uint8Array) => Promise<Ignoring | undefined>;
  /** Counts the pictures that a search lists. */
  readonly count?: (application: Application, images: readonly Match[]) => void;
  /** Where pictures lie that a source brought. */
  readonly origins?: (application: Application, ids: readonly string[]) => Promise<ReadonlyMap<string, Origin>>;
  readonly files?: () => PictureFiles;
  /** Adds a picture with the events of saved searches and lists of hashes. */
  readonly add?: (application: Application, image: NewImage, file?: PictureToHash) => Promise<void>;
  /** Whether additions are compared with lists of hashes. */
  readonly hashes?: (application: Application) => Promise<boolean>;
  /** Frees the memory of a deleted application. */
  readonly forget?: (application: Application) => Promise<void>;
}

/** What is made of a picture file; without thumbnails a part of it. */
type KeptOfFile = Pick<Kept, 'dna'> & Partial<Pick<Kept, 'thumbnail' | 'pdq'>> & { readonly details: Details };

/** The overview of an application for people. */
export interface Overview {
  readonly number: number;
  readonly name: string;
  readonly type: ApplicationType;
  readonly enabled: boolean;
  /** undefined while a part of the cluster with its pictures is missing */
  readonly count: number | undefined;
  /** Pictures that are damaged and set aside. */
  readonly damaged: number;
  /** Memory of the index, in bytes. */
  readonly indexBytes: number;
}

/**
 * One application as the operations see it. Nothing of another application can be reached from it. Picture files are read
 * here, in the child processes of this service; the reference pictures are behind `references`.
 */
export class Application {
  /** The application's row as last read. */
  record: ApplicationRecord;
  readonly references: References;
  readonly #dependencies: Dependencies;

  constructor(record: ApplicationRecord, references: References, dependencies: Dependencies) {
    this.record = record;
    this.references = references;
    this.#dependencies = dependencies;
  }

  /** Whether it takes changes: it is neither an incomplete copy nor moved to another place. */
  get takesChanges(): boolean {
    return this.record.state === undefined;
  }
  /** Whether it takes changes, and its keys are accepted. */
  get isServed(): boolean {
    return this.record.enabled && this.takesChanges;
  }

  get type(): ApplicationType {
    return this.record.type;
  }
  get name(): string {
    return this.record.name;
  }
  get traits(): Traits {
    return this.definition.traits;
  }

  /** What a picture has in common with the query, in per cent. */
  similarityOf({ score, resultInfo }: Pick<Match, 'score' | 'resultInfo'>): number {
    return similarityOf(score, this.traits.colors || this.traits.colorWeight, resultInfo);
  }
  get defaults(): ApplicationDefaults {
    return this.record.defaults;
  }
  get definition(): TypeDefinition {
    return definitionOf(this.type, this.record.network);
  }

  /** Fails with DOES_NOT_APPLY. */
  get colors(): ColorCode {
    const { colors } = this.definition;
    if (!colors) throw fail('DOES_NOT_APPLY', `colours on ${this.traits.title} applications`);
    return colors;
  }

  /** As that of its references; `read-only` where it takes no changes. */
  async status(): Promise<Status> {
    return this.takesChanges ? this.references.status() : 'read-only';
  }

  async overview(): Promise<Overview> {
    const { references } = this;
    const known = references.count().catch((cause: unknown) => {
      if (isFailure(cause, 'CLUSTER_INCOMPLETE', 'UNKNOWN_APPLICATION')) return undefined;
      throw cause;
    });
    const [count, indexBytes] = await Promise.all([known, references.indexBytes()]);
    const { number, name, type, enabled } = this.record;
    return { number, name, type, enabled, count, damaged: references.damaged, indexBytes };
  }

  /** Fails with OVERLOADED where one more picture file would be refused now; for files whose bytes are still to come. */
  checkRoomForPicture(): void {
    this.#dependencies.decoder.checkRoomFor(this.record.number);
  }

  /** Picture file to DNA. */
  async describe(content: Uint8Array, side: Side): Promise<Uint8Array> {
    const { decoder } = this.#dependencies;
    const dna = await decoder.describe(content, this.type, side, this.record.number, this.#options);
    return networkDna(content, dna, this.record, this.#dependencies);
  }

  /** Picture file to the data that is stored of it. */
  async keep(content: Uint8Array): Promise<Omit<KeptOfFile, 'pdq'>> {
    const { pdq: _, ...kept } = await this.#kept(content, false);
    return kept;
  }

  /** The same of a picture that is to be added; with its hash where there are lists of hashes. */
  async keepNew(content: Uint8Array): Promise<KeptOfFile> {
    return this.#kept(content, (await this.#dependencies.hashes?.(this)) ?? false);
  }

  async #kept(content: Uint8Array, hashed: boolean): Promise<KeptOfFile> {
    const { traces, ...kept } = await this.#decoded(content, hashed);
    const details = detailsOf(content); // the header is sound, since the file was decoded
    return { ...kept, details: { ...details, ...(traces && { traces }) } };
  }

  async #decoded(content: Uint8Array, hashed: boolean): Promise<Pick<Kept, 'dna'> & Partial<Kept>> {
    const { thumbnails = true, number } = this.record;
    if (!thumbnails && !hashed) return { dna: await this.describe(content, 'reference') };
    const kept = await this.#dependencies.decoder.keep(content, this.type, number, this.#options, hashed);
    const dna = await networkDna(content, kept.dna, this.record, this.#dependencies);
    return thumbnails ? { ...kept, dna } : { dna, pdq: kept.pdq };
  }

  pdq(content: Uint8Array): Promise<Pdq> {
    return this.#dependencies.decoder.pdq(content, this.record.number);
  }

  /** The differences of two picture files. Fails with NOT_ALIGNED. */
  compare(reference: Uint8Array, query: Uint8Array): Promise<MarkedComparison> {
    return this.#dependencies.decoder.compare(reference, query, this.record.number);
  }

  /** What was done to either of two thumbnails. @param map  from the unit square of the first to that of the second */
  edits(first: Uint8Array, second: Uint8Array, map: Homography) {
    return this.#dependencies.decoder.edits(first, second, map, this.record.number);
  }

  /** The score of a picture file for each profile: positive where the profile fits. Fails with NO_PROFILES. */
  classify(content: Uint8Array): Promise<Record<string, number>> {
    return classify(content, this, this.#dependencies);
  }

  /** The name of a query in verdicts: the same for every file of the same pixels. */
  nameOf(dna: Uint8Array): string {
    const { terms } = this.definition;
    return `dna:${terms ? terms.digestOf(dna) : createHash('sha256').update(dna).digest('hex').slice(0, 16)}`;
  }

  /** The pictures that a review judged not to match this one. @param id  of a reference, or as `nameOf` */
  async apartFrom(id: string): Promise<ReadonlySet<string>> {
    return (await this.#dependencies.apart?.(this, id)) ?? new Set();
  }

  /** What the ignore list takes of a query; undefined where it takes nothing. */
  async ignoring(dna: Uint8Array): Promise<Ignoring | undefined> {
    return this.#dependencies.ignoring?.(this, dna);
  }

  /** Counts the pictures that a search lists. */
  countMatches(images: readonly Match[]): void {
    this.#dependencies.count?.(this, images);
  }

  /** As `References.add`; saved searches, and lists of hashes for a file, that find the picture are events of the same commit. */
  add(image: NewImage, file?: PictureToHash): Promise<void> {
    return this.#dependencies.add ? this.#dependencies.add(this, image, file) : this.references.add(image);
  }

  /** Removes a picture, with its file where that is chosen and a writable source has it. Fails with IMAGE_NOT_FOUND. */
  async delete(id: string, choice: FileChoice = 'keep'): Promise<FileChanges | undefined> {
    if (choice !== 'keep' && this.files) return this.files.remove(this, id, choice);
    await this.references.delete(id);
    return undefined;
  }

  /** Missing where there are no sources. */
  get files(): PictureFiles | undefined {
    return this.#dependencies.files?.();
  }

  /** Where pictures lie; those that no source brought are missing. */
  async originsOf(ids: readonly string[]): Promise<ReadonlyMap<string, Origin>> {
    return (await this.#dependencies.origins?.(this, ids)) ?? new Map();
  }

  async knowsProfile(name: string): Promise<boolean> {
    return (await this.#dependencies.profiles.named([name])).length > 0;
  }

  /** A DNA from outside, if it is one of this application type. Fails with BAD_DNA. */
  checkedDna(dna: Uint8Array, side: Side): Uint8Array {
    try {
      this.definition.checkDna(dna, side);
    } catch (cause) {
      throw cause instanceof DnaError ? fail('BAD_DNA', cause.message) : cause;
    }
    return dna;
  }

  get #options(): DescribeOptions {
    return { ignoreBackground: this.record.ignoreBackground ?? false };
  }
}
