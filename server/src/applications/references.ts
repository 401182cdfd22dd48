import type { Explanation, Prevalent, ResultInfo } from '@sosia/engine';
import type { Metadata } from '@sosia/contract';
import type { ImageStore } from '../store/image-store.ts';
import { withTerms, type TermRange } from './metadata-terms.ts';
import type { Details, NewImage } from '../store/store.ts';

/** A reference picture as answers show it. */
export interface Match {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly score: number;
  /** How the picture matches; null outside of searches, and for application types without a structure. */
  readonly resultInfo: ResultInfo | null;
  /** Where the search explains, and the type has something to explain. */
  readonly explanation?: Explanation;
  /** Whether `References.metadata` returns its metadata. */
  readonly hasMetadata?: boolean;
}

/** Restricts a search; checked values. */
export interface Restriction {
  /** Pictures without one of these are left out. */
  readonly keywords: readonly string[];
  /** Pictures without a term in each of these are left out. */
  readonly ranges?: readonly TermRange[];
  /** null: no restriction. Ids that no picture has restrict all the same. */
  readonly ids: readonly string[] | null;
}

/** The new keywords or metadata of a picture; `metadata: undefined` removes those that it has. */
export type ImageChange = { readonly keywords: readonly string[] } | { readonly metadata: Metadata | undefined };

/** The picture after a change, as it is stored. */
export function changed(image: NewImage, change: ImageChange): NewImage {
  const details = 'metadata' in change ? { ...image.details, ...change } : image.details;
  return withTerms({ ...image, ...('keywords' in change && change), details });
}

/** The requested part of a list. */
export interface Page {
  readonly start: number;
  readonly count: number;
}

export interface Matches {
  /** The length of the whole list. */
  readonly found: number;
  /** The page. */
  readonly images: readonly Match[];
  /** Whether the search ended before the whole shortlist was compared. */
  readonly truncated?: boolean;
}

export interface Search {
  readonly dna: Uint8Array;
  readonly restriction: Restriction;
  readonly page: Page;
  /** Results with this score or a higher one are not listed. */
  readonly below: number;
  /** In [0, 1], from form to colour. */
  readonly colorWeight: number;
  /** Whether each match of the page carries its explanation. */
  readonly explain?: boolean;
  /** The id of the picture that is the query: where it matches, it comes before all others. */
  readonly first?: string;
}

/** A place in the order in which pictures were added or changed; 0 is before all. Stored as JSON, read by its backend alone. */
export type Position = number | object;

/** The progress of a start. */
export interface Loading {
  readonly loaded: number;
  /** The number of pictures to load, damaged ones included; 0 until the data folder is checked. */
  readonly pictures: number;
}

export function textOf({ loaded, pictures }: Loading): string {
  return pictures === 0 ? 'the data folder is checked first' : `${loaded} of ${pictures} pictures are loaded`;
}

/** In [0, 1], with two decimals. */
export function shareOf({ loaded, pictures }: Loading): number {
  return Math.floor((100 * Math.min(loaded, pictures)) / Math.max(1, pictures)) / 100;
}

/** Whether pictures can be added; reported by GetApplicationStatus. */
export type Status = ImageStore['state'];

/**
 * The reference pictures of one application, wherever they are stored and indexed. Each call sees all changes that were
 * acknowledged before it, and answers from one state of the pictures.
 */
export interface References {
  /** Number of damaged pictures that are set aside: they are in no answer. */
  readonly damaged: number;
  /** Undefined once all pictures are there. Before that, only `count` and `status` may be called. */
  readonly loading: Loading | undefined;

  /** Durable and searchable once resolved. Fails with IMAGE_EXISTS. */
  add(image: NewImage): Promise<void>;
  /** Durable and without a trace once resolved, also for a damaged picture if its id can be read. Fails with IMAGE_NOT_FOUND. */
  delete(id: string): Promise<void>;

  /** Durable and part of every search once resolved; the rest of the picture stays. Fails with UNKNOWN_IMAGE. */
  change(id: string, change: ImageChange): Promise<void>;

  /** Whether a picture with this id is there; false also where this takes long to find out, so `add` decides. */
  has(id: string): Promise<boolean>;
  /** Those of the ids that are of a picture. */
  present(ids: Iterable<string>): Promise<ReadonlySet<string>>;
  /** Fails with UNKNOWN_IMAGE. */
  image(id: string): Promise<Match>;
  /** Fails with UNKNOWN_IMAGE. */
  dna(id: string): Promise<Uint8Array>;
  /** A small JPEG; undefined if none is stored. Fails with UNKNOWN_IMAGE. */
  thumbnail(id: string): Promise<Uint8Array | undefined>;

  /** Of the file that was added; undefined if unknown. Fails with UNKNOWN_IMAGE. */
  details(id: string): Promise<Details | undefined>;
  /** By id; pictures without metadata, and ids without a picture, are missing. */
  metadata(ids: readonly string[]): Promise<ReadonlyMap<string, Metadata>>;
  /** Differs after each picture that was added, changed or removed. */
  revision(): Promise<string>;
  /** The pictures behind a position, each with its own; a new or changed picture is behind every earlier position. */
  since(position: Position, count: number): Promise<{ readonly position: Position; readonly id: string }[]>;

  count(): Promise<number>;
  status(): Promise<Status>;
  /** Memory of the index, in bytes. */
  indexBytes(): Promise<number>;

  /** A page of the selected pictures, score 0, by image_id bytes; of those after `after` if it is set. */
  list(restriction: Restriction, page: Page, after?: string): Promise<Matches>;
  /** As `list`, the last picture that was added or changed first. */
  latest(restriction: Restriction, page: Page): Promise<Matches>;
  /** A page of all matches: the picture that is the query, then best first, ties by image_id bytes. */
  search(search: Search): Promise<Matches>;
  /** Why a picture that a search does not list is no match; undefined where the type has nothing to explain, or there is no such picture. */
  explain(dna: Uint8Array, id: string): Promise<Explanation | undefined>;
  /** The colours of the selected pictures that contain all of `colors`, 0xrrggbb; the most frequent first. */
  palette(restriction: Restriction, colors: readonly number[]): Promise<Prevalent[]>;
}

/** All that is stored of a picture. Fails with UNKNOWN_IMAGE. */
export async function storedPicture(references: References, id: string): Promise<NewImage> {
  const [{ keywords }, dna, thumbnail, details] = await Promise.all([
    references.image(id),
    references.dna(id),
    references.thumbnail(id),
    references.details(id),
  ]);
  return { id, keywords, dna, thumbnail, details };
}
