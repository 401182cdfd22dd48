import type { Box, BoxMatch, QuadMatch, Relation, ResultInfo } from '@sosia/contract';
import type { Image, Point } from '../../api/answers.ts';

/** A size in pixels. */
export type Size = readonly [width: number, height: number];

/** One side of a match: the frame that its homography refers to, and its box. */
export interface Side {
  readonly frame: Size;
  readonly box: readonly Point[];
}

/** The content of `result_info` of a result, in one form for all types. */
export interface MatchInfo {
  readonly decision: string | undefined;
  readonly relation?: Relation;
  /** The share of the overlap that agrees, 0 to 1, on the types that measure it. */
  readonly agreeing?: number;
  readonly places?: {
    readonly query: Side;
    readonly reference: Side;
    /** Reference to query, in pixels of the frames, row-major. */
    readonly homography: readonly number[];
    /** Further instances in the query. */
    readonly instances: readonly (readonly Point[])[];
  };
  /** Scores of shape and colour, for the types that separate them. */
  readonly parts: readonly { readonly name: string; readonly score: number }[];
}

export function matchInfoOf({ result_info }: Pick<Image, 'result_info'>): MatchInfo {
  if (result_info === '') return { decision: undefined, parts: [] };
  const info = JSON.parse(result_info) as ResultInfo;
  if (info.category === 'SIMILARITY') {
    const parts = [
      { name: 'shape', score: info.shapeScore },
      { name: 'colour', score: info.colorScore },
    ];
    return { decision: undefined, parts };
  }
  const { decision, relation, query, reference, homography } = info;
  const instances = 'instances' in info ? info.instances : [];
  const places = {
    query: sideOf(query),
    reference: sideOf(reference),
    homography: homography.coefficients,
    instances: instances.map(({ points }) => points),
  };
  const { agreeingShare: agreeing } = info;
  return { decision, places, parts: [], ...(relation && { relation }), ...(agreeing !== undefined && { agreeing }) };
}

function sideOf({ resizedDimensions, matchingBox }: (BoxMatch | QuadMatch)['query']): Side {
  return { frame: resizedDimensions, box: 'points' in matchingBox ? matchingBox.points : cornersOf(matchingBox) };
}

/** Clockwise from the upper left corner. */
export function cornersOf({ topLeftPoint: [x0, y0], bottomRightPoint: [x1, y1] }: Box): Point[] {
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
}

const sentences: Record<string, string> = {
  Clone: 'Both pictures match as wholes: the same picture, at most with small edits.',
  Match: 'Both pictures show the same thing in one place, such as a part that was cut out or pasted.',
  Similar: 'Some places agree, too few to be certain. A person should check.',
  shape: 'No match: features agree, but on a place with a shape that no camera could produce.',
  geometry: 'No match: some features look alike, but too few of them agree on one place.',
};

/** What a relation means, where it says more than the decision. */
const meanings: Partial<Record<Relation, string>> = {
  part: 'One picture is a part of the other one.',
  montage: 'One picture is put together from a part of the other one and from something else.',
  'same frame': 'Both have the same frame or banner around another picture.',
  'same form': 'Both are the same form, page or chart with other entries.',
  'same design': 'Both have one design, as packages of one maker have.',
  'other view': 'Both show one thing in different views.',
};

/** The displayed words for a decision, whether it is a match, and what it means. */
export function verdictOf(
  decision: string,
  relation?: Relation,
): { word: string; accepted: boolean; relation?: Relation | undefined; sentence: string } {
  const meaning = relation && meanings[relation];
  const shown = meaning ? relation : undefined;
  if (!decision.startsWith('Rejection')) {
    return { word: decision, accepted: true, relation: shown, sentence: meaning ?? sentences[decision] ?? '' };
  }
  const reason = decision.includes('shape') ? 'shape' : 'geometry';
  const sentence = `${sentences[reason]} ${meaning ?? ''}`.trim();
  return { word: `Rejected: ${reason}`, accepted: false, relation: shown, sentence };
}
