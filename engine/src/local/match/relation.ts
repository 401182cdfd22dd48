import { area, clipped, cornersOf } from '../../geometry/frame.ts';
import { project } from '../../geometry/homography.ts';
import type { Relation } from '../../partition/result-info.ts';
import type { Overlap } from '../overlap/overlap.ts';
import { liesOn, MIN_MATCH_EVIDENCE } from './decision.ts';
import { innerPlaces } from './inner-places.ts';
import type { PairMatch } from './match-pair.ts';

/** Share of a picture that lies in the other one, from which on all of it does. */
const MIN_WHOLE_SHARE = 0.8;
/** Share of all that differs from which on one connected part of the overlap is another content, and not entries or edits. */
const MIN_CONNECTED_SHARE = 0.8;
/** Share of the overlap that another content takes at least in a montage, and share of the inner part that still agrees in a frame. */
const MIN_REPLACED_SHARE = 0.3;
const MAX_FRAMED_SHARE = 0.33;
/** Places in the inner part of the reference, of nine, from which on a thing is seen again, and not only what surrounds it. */
const MIN_VIEW_PLACES = 4;

/** What the relation is read from, beside the map. */
type Compared = Pick<Overlap, 'agreeing' | 'apart' | 'inside'>;

/** The relation of a Clone or a Match of Media Matching. */
export function relationOfCopy(match: PairMatch, overlap: Compared | undefined): Relation {
  const { ofReference, ofQuery } = wholesOf(match);
  if (ofReference !== ofQuery) return 'part';
  const replaced = overlap && overlap.apart >= MIN_REPLACED_SHARE && isConnected(overlap);
  return ofReference && !replaced ? 'copy' : 'montage';
}

/** The relation of pictures that are Similar. */
export function relationOfSimilar(match: PairMatch, overlap: Compared | undefined): Relation {
  const { reference, query, placements } = match;
  const [{ homography, evidence }] = placements;
  if (evidence < MIN_MATCH_EVIDENCE || !overlap) return 'related';
  const { ofReference, ofQuery } = wholesOf(match);
  if (ofReference && ofQuery && overlap.inside <= MAX_FRAMED_SHARE && isConnected(overlap)) return 'same frame';
  if (liesOn(homography, reference, query)) return 'same form';
  return innerPlaces(placements[0], reference) >= MIN_VIEW_PLACES ? 'other view' : 'same design';
}

/** Whether all of either picture lies in the other one. */
function wholesOf({ reference, query, placements }: PairMatch): { ofReference: boolean; ofQuery: boolean } {
  const image = cornersOf(reference).map(([x, y]) => project(placements[0].homography, x, y));
  const shared = Math.abs(area(clipped(image, query)));
  return {
    ofReference: shared >= MIN_WHOLE_SHARE * Math.abs(area(image)),
    ofQuery: shared >= MIN_WHOLE_SHARE * query.width * query.height,
  };
}

/** Whether what differs is mostly one connected part. */
function isConnected({ agreeing, apart }: Compared): boolean {
  return apart >= MIN_CONNECTED_SHARE * (1 - agreeing);
}
