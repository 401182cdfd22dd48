import type {
  ApplicationType,
  DescribeOptions,
  Difference,
  FileTraces,
  Homography,
  Picture,
  Side,
  SideEdits,
} from '@sosia/engine';
import { PDQ_BYTES, SPECTRUM_BANDS } from '@sosia/engine';
import { type Answer, checkedAnswer, isCount } from '../workers/answer.ts';
import type { Frame } from '../workers/frames.ts';
import { THUMBNAIL } from './limits.ts';

/** A task for a decode child; the body is the picture file, or two of them. */
export type DecodeTask =
  | {
      readonly kind: 'describe';
      readonly type: ApplicationType;
      readonly side: Side;
      readonly options: DescribeOptions;
    }
  /** Describes a reference, and makes a thumbnail; `hashed`: and its PDQ. */
  | {
      readonly kind: 'keep';
      readonly type: ApplicationType;
      readonly options: DescribeOptions;
      readonly hashed: boolean;
    }
  | { readonly kind: 'pdq' }
  | { readonly kind: 'decode'; readonly longestSide: number }
  | { readonly kind: 'compare'; readonly referenceBytes: number }
  /** Two thumbnails, one after the other. @see pairEdits */
  | { readonly kind: 'edits'; readonly firstBytes: number; readonly map: Homography };

/** Longest side of a picture that is sent back as pixels. */
export const LARGEST_DECODED_SIDE = 4096;

export type DecodeAnswer = Answer<DecodeResult>;

/**
 * The body is the DNA (for `keep` with the hash and a thumbnail behind it), the hash of `pdq`, the pixels of `size`, or the two JPEGs of `compared`. The
 * first answer of a child is `start`, when it is ready for tasks.
 */
export interface DecodeResult {
  readonly done: 'start' | DecodeTask['kind'];
  readonly size?: PictureSize;
  /** Of the hash. */
  readonly quality?: number;
  readonly compared?: Compared;
  /** Length of the DNA in front of the hash and the thumbnail. */
  readonly dnaBytes?: number;
  /** Of `keep`. */
  readonly traces?: FileTraces;
  /** Of the first and the second picture. */
  readonly edits?: readonly [SideEdits, SideEdits];
}

export interface Compared {
  /** In [0, 1], 0 for the same picture. */
  readonly score: number;
  readonly regions: readonly Difference[];
  /** Strips along the rim where the content of one picture ends. */
  readonly strips: readonly Difference[];
  /** From pixels of the one JPEG to pixels of the other. */
  readonly homography: readonly number[];
  /** Length of the first of the two JPEGs. */
  readonly referenceBytes: number;
}

export type PictureSize = Omit<Picture, 'rgb'>;

/** @throws for anything that no sound child answers to the task */
export function checkedDecodeAnswer({ head, body }: Frame, task: string): DecodeAnswer {
  return checkedAnswer<DecodeResult>(head, (answer) => isResult(answer, task, body.length));
}

function isResult(answer: DecodeResult, task: string, bytes: number): boolean {
  if (answer.done !== task) return false;
  if (task === 'compare') return isCompared(answer.compared, bytes);
  if (task === 'keep') {
    const { dnaBytes, quality, traces } = answer;
    const hash = quality === undefined ? 0 : PDQ_BYTES;
    const isSound = hash === 0 || isQuality(quality);
    return isCount(dnaBytes) && isSound && isThumbnail(bytes - dnaBytes! - hash) && isTraces(traces);
  }
  if (task === 'pdq') return bytes === PDQ_BYTES && isQuality(answer.quality);
  if (task === 'edits') return areEdits(answer.edits);
  if (task !== 'decode') return true;
  const { width, height, originalWidth, originalHeight } = Object(answer.size) as PictureSize;
  return [width, height, originalWidth, originalHeight].every(isCount) && width * height * 3 === bytes;
}

function isQuality(quality: unknown): boolean {
  return Number.isSafeInteger(quality) && isFraction((quality as number) / 100);
}

function isThumbnail(bytes: number): boolean {
  return bytes > 0 && bytes <= THUMBNAIL.bytes;
}

function isTraces(traces: unknown): boolean {
  if (traces === undefined) return true;
  const { displaced, multiples, spectrum } = Object(traces) as FileTraces;
  const { steps, counts } = Object(multiples) as FileTraces['multiples'];
  return (
    Array.isArray(spectrum) &&
    spectrum.length === SPECTRUM_BANDS &&
    Array.isArray(steps) &&
    typeof counts === 'string' &&
    [displaced, ...(steps as unknown[]), ...(spectrum as unknown[])].every((value) => Number.isFinite(value))
  );
}

function areEdits(edits: unknown): boolean {
  return (
    Array.isArray(edits) &&
    edits.length === 2 &&
    edits.every((side: unknown) => {
      const { beyond, plain, outline, differing, seam, range, clipped } = Object(side) as SideEdits;
      return [beyond, plain, outline / 255, differing, seam / 255, range / 255, clipped].every(isFraction);
    })
  );
}

function isCompared(compared: unknown, bytes: number): boolean {
  const { score, regions, strips, homography, referenceBytes } = Object(compared) as Compared;
  const fractions = (box: unknown): unknown[] => {
    const { topLeftPoint, bottomRightPoint } = Object(box) as Record<keyof Difference['reference'], unknown>;
    return [topLeftPoint, bottomRightPoint].flatMap((point): unknown[] =>
      Array.isArray(point) && point.length === 2 ? point : [NaN],
    );
  };
  return (
    isFraction(score) &&
    isCount(referenceBytes) &&
    referenceBytes < bytes &&
    Array.isArray(homography) &&
    homography.length === 9 &&
    homography.every(Number.isFinite) &&
    [regions, strips].every(
      (places: unknown) =>
        Array.isArray(places) &&
        places.every((place) => {
          const { reference, query, strength } = Object(place) as Difference;
          return [strength, ...fractions(reference), ...fractions(query)].every(isFraction);
        }),
    )
  );
}

function isFraction(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
