import { missingDetail, savedFrom, transposed, type FileTraces, type SideEdits } from '@sosia/engine';
import { type PairView, viewOf } from './pair-view.ts';
import type { Links } from './links.ts';

/** What the proposal depends on. */
export interface Candidate {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly width: number | null;
  readonly height: number | null;
  readonly bytes: number | null;
  readonly grade: number | null;
  readonly added: string | null;
  readonly traces: FileTraces | null;
}

/** Shares of a picture from which on an edit counts. */
const MIN_SHARE = { beyond: 0.02, plain: 0.6, differing: 0.004, contained: 0.03 };
/** Change of luma across the outline of what is in a border, by the plain share of the border. */
const MIN_BORDER_OUTLINE = 14;
/** Change of luma along an outline that is an edge, and by which one is clearer than another. */
const MIN_SEAM = 20;
/** See `JpegHistory`. */
const MIN_DISPLACED = { strength: 4.5, more: 1 };
/** Sides of an enlarged picture by those of the other. */
const MIN_ENLARGED = 1.15;
const MIN_LARGER = 1.05;
/** Ranges of luma, and the share of black and white places by which the wider one may have more: a picture that was made stronger has many. */
const WIDER = { minRatio: 1.06, maxClipped: 0.02 };
/** Steps of quantisation by those of the other. */
const MAX_FINER = 0.9;

type Comparison = readonly [reason: string, value: (one: Candidate, other: Candidate, view?: PairView) => number];

/** The first that is not 0 decides: positive where the first picture is the one to keep. */
const comparisons: readonly Comparison[] = [
  [
    'it has no border or empty corners',
    (_one, _other, view) => (view ? bordered(view.other, view.tilted) - bordered(view.one, view.tilted) : 0),
  ],
  [
    'nothing covers a part of it',
    (_one, _other, view) => (view ? covered(view.other, view.one) - covered(view.one, view.other) : 0),
  ],
  [
    'it shows more of the picture',
    (_one, _other, view) => (view ? beyondThreshold(view.one.beyond - view.other.beyond, MIN_SHARE.contained) : 0),
  ],
  [
    'it was not turned or mirrored',
    ({ traces: one }, { traces: other }, view) =>
      view?.turned && !view.aligned && one && other ? displaced(other, one) - displaced(one, other) : 0,
  ],
  [
    'it was not enlarged',
    (one, other, view) => (view ? enlarged(other, one, 1 / view.scale) - enlarged(one, other, view.scale) : 0),
  ],
  [
    'it has most pixels',
    (one, other, view) => beyondThreshold(Math.log(view?.scale ?? scaleOf(one, other)), Math.log(MIN_LARGER)),
  ],
  [
    'it was saved as JPEG fewer times',
    ({ traces: one }, { traces: other }, view) =>
      one && other && view?.aligned ? savedFewerTimes(one, other, view) : 0,
  ],
  [
    'it has the wider range of brightness',
    (_one, _other, view) => (view ? wider(view.one, view.other) - wider(view.other, view.one) : 0),
  ],
  [
    'its compression loses least',
    ({ traces: one }, { traces: other }) => (one && other ? finer(one, other) - finer(other, one) : 0),
  ],
  ['it can be matched best', (one, other) => (one.grade ?? 0) - (other.grade ?? 0)],
  ['its file is the largest', (one, other) => (one.bytes ?? 0) - (other.bytes ?? 0)],
  ['it has most keywords', (one, other) => one.keywords.length - other.keywords.length],
  ['it was added first', (one, other) => Date.parse(other.added ?? '9999') - Date.parse(one.added ?? '9999')],
];

/** The picture of a group to keep: the one that most others are worse than, and what decides against each of them, in the order of the comparisons. */
export function proposalFor(candidates: readonly Candidate[], links: Links): { keep: string; reason: string } {
  const sorted = [...candidates].sort((a, b) => (a.id < b.id ? -1 : 1));
  const results = sorted.map((one) => {
    const against = sorted.filter((other) => other !== one).map((other) => compared(one, other, links));
    return {
      id: one.id,
      won: against.filter(({ value }) => value > 0),
      lost: against.filter(({ value }) => value < 0).length,
    };
  });
  const [best] = results.sort((a, b) => a.lost - b.lost || b.won.length - a.won.length);
  const reasons = comparisons.map(([each]) => each).filter((each) => best!.won.some(({ reason }) => reason === each));
  return {
    keep: best!.id,
    reason: reasons.join('; where that is equal, ') || 'all are equal, and its id is the first',
  };
}

function compared(one: Candidate, other: Candidate, links: Links): { reason: string; value: number } {
  const view = viewOf(one, other, links);
  for (const [reason, value] of comparisons) {
    const found = value(one, other, view);
    if (found) return { reason, value: found };
  }
  return { reason: '', value: 0 };
}

function bordered({ beyond, plain, outline }: SideEdits, tilted: boolean): number {
  return Number(
    beyond >= MIN_SHARE.beyond && (tilted ? plain >= MIN_SHARE.plain : plain * outline >= MIN_BORDER_OUTLINE),
  );
}

function covered(one: SideEdits, other: SideEdits): number {
  return Number(one.differing >= MIN_SHARE.differing && one.seam >= other.seam + MIN_SEAM);
}

function wider(one: SideEdits, other: SideEdits): number {
  return Number(one.range >= WIDER.minRatio * other.range && one.clipped <= other.clipped + WIDER.maxClipped);
}

function displaced(one: FileTraces, other: FileTraces): number {
  return Number(one.displaced >= MIN_DISPLACED.strength && one.displaced > other.displaced + MIN_DISPLACED.more);
}

function enlarged({ traces: larger }: Candidate, { traces: smaller }: Candidate, scale: number): number {
  if (!larger || !smaller || scale < MIN_ENLARGED) return 0;
  return Number(missingDetail(larger.spectrum, smaller.spectrum, scale) > 0);
}

function savedFewerTimes({ multiples: one }: FileTraces, { multiples: other }: FileTraces, view: PairView): number {
  return savedFrom(view.transposed ? transposed(other) : other, one, view.other.contrast);
}

function finer({ multiples: one }: FileTraces, { multiples: other }: FileTraces): number {
  return Number(meanOf(one.steps) < MAX_FINER * meanOf(other.steps));
}

function meanOf(steps: readonly number[]): number {
  return steps.reduce((sum, step) => sum + step / steps.length, 0);
}

function beyondThreshold(value: number, threshold: number): number {
  return Math.abs(value) >= threshold ? value : 0;
}

/** Sides of one picture by those of the other, where both show the same. */
function scaleOf(one: Candidate, other: Candidate): number {
  if (one.width === null || one.height === null || other.width === null || other.height === null) return 1;
  return Math.sqrt((one.width * one.height) / (other.width * other.height));
}
