import type { ApplicationType, DescribeOptions, Difference, Side } from '@sosia/engine';
import { errors, fail, type ErrorName } from '../errors.ts';
import type { Frame } from '../workers/frames.ts';
import { THUMBNAIL } from './limits.ts';

/** What a decode child is asked; the body is the picture file, or for `compare` the reference's and then the query's. */
export type Question =
  | { readonly ask: 'describe'; readonly type: ApplicationType; readonly side: Side; readonly options: DescribeOptions }
  /** Described as a reference, with a thumbnail. */
  | { readonly ask: 'keep'; readonly type: ApplicationType; readonly options: DescribeOptions }
  | { readonly ask: 'decode'; readonly longestSide: number }
  | { readonly ask: 'compare'; readonly referenceBytes: number };

/** Most that may be asked for as pixels, a side. */
export const LARGEST_DECODED_SIDE = 4096;

/** What it answers; `rss` is its resident memory in bytes. */
export type Answer = { readonly rss: number } & (
  Done | { readonly failed: ErrorName; readonly detail: string } | { readonly fault: string }
);

/**
 * The body is the DNA (with a thumbnail behind it where that was asked for), the pixels of `size`, or the two JPEGs of `compared`. A child's first frame, `start`, tells that it
 * can be asked.
 */
export interface Done {
  readonly done: 'start' | Question['ask'];
  readonly size?: PictureSize;
  readonly compared?: Compared;
  /** Length of the DNA in front of the thumbnail. */
  readonly dnaBytes?: number;
}

export interface Compared {
  readonly score: number;
  readonly regions: readonly Difference[];
  /** From pixels of the first to pixels of the second. */
  readonly homography: readonly number[];
  /** Length of the first of the two JPEGs. */
  readonly referenceBytes: number;
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
  readonly originalWidth: number;
  readonly originalHeight: number;
}

/**
 * The frame as an answer to what was asked, if it is one: the picture may have taken the child over.
 * @throws for anything that no sound child says
 */
export function checkedAnswer({ head, body }: Frame, asked: Done['done']): Answer {
  const answer = Object(head) as Answer;
  const wellFormed = isCount(answer.rss) && (isDone(answer, asked, body.length) || isExcuse(answer));
  if (!wellFormed) throw new Error('it answered in no known form');
  return answer;
}

/** Throws what the child says went wrong. */
export function assertDone(answer: Answer): asserts answer is Answer & Done {
  if ('failed' in answer) throw fail(answer.failed, answer.detail);
  if ('fault' in answer) throw new Error(`in the decoder: ${answer.fault}`);
}

function isDone(answer: Answer, asked: Done['done'], bytes: number): boolean {
  if (!('done' in answer) || answer.done !== asked) return false;
  if (asked === 'compare') return isCompared(answer.compared, bytes);
  if (asked === 'keep') return isCount(answer.dnaBytes) && isThumbnail(bytes - answer.dnaBytes!);
  if (asked !== 'decode') return true;
  const { width, height, originalWidth, originalHeight } = Object(answer.size) as PictureSize;
  return [width, height, originalWidth, originalHeight].every(isCount) && width * height * 3 === bytes;
}

function isThumbnail(bytes: number): boolean {
  return bytes > 0 && bytes <= THUMBNAIL.bytes;
}

function isCompared(compared: unknown, bytes: number): boolean {
  const { score, regions, homography, referenceBytes } = Object(compared) as Compared;
  const fractions = (box: unknown): unknown[] => {
    const { topLeftPoint, bottomRightPoint } = Object(box) as Difference['reference'];
    return [topLeftPoint, bottomRightPoint].flatMap((point) =>
      Array.isArray(point) && point.length === 2 ? (point as unknown[]) : [NaN],
    );
  };
  return (
    isFraction(score) &&
    isCount(referenceBytes) &&
    referenceBytes < bytes &&
    Array.isArray(homography) &&
    homography.length === 9 &&
    homography.every(Number.isFinite) &&
    Array.isArray(regions) &&
    regions.every((region) => {
      const { reference, query, strength } = Object(region) as Difference;
      return [strength, ...fractions(reference), ...fractions(query)].every(isFraction);
    })
  );
}

function isFraction(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

export function isExcuse(answer: object): boolean {
  const { fault, failed, detail } = answer as { fault?: unknown; failed?: unknown; detail?: unknown };
  if (fault !== undefined) return typeof fault === 'string';
  return typeof failed === 'string' && Object.hasOwn(errors, failed) && typeof detail === 'string';
}

export function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
