import type { ResultInfo } from '@sosia/engine';
import type { Application } from '../applications/application.ts';
import { isFailure } from '../errors.ts';
import type { LinkedPair } from './links.ts';

/** How a picture lies on one that it found; undefined for types that do not place them, and without thumbnails. */
export async function linkedPair(
  application: Application,
  from: string,
  to: string,
  info: ResultInfo | null,
): Promise<LinkedPair | undefined> {
  if (!info || !('homography' in info)) return undefined;
  const { references } = application;
  const [found, other] = await Promise.all([references.thumbnail(from), references.thumbnail(to)]);
  if (!found || !other) return undefined;
  const map = onUnitSquares(
    info.homography.coefficients,
    info.reference.resizedDimensions,
    info.query.resizedDimensions,
  );
  try {
    const [ofReference, ofQuery] = await application.edits(other, found, map);
    return { map, edits: [ofQuery, ofReference] };
  } catch (cause) {
    if (isFailure(cause, 'OVERLOADED')) throw cause;
    return undefined; // a thumbnail that came with a move or a restore may be no picture
  }
}

/** A map between pixels of two frames as one between their unit squares. */
function onUnitSquares(
  map: readonly number[],
  [width, height]: readonly [number, number],
  into: readonly [number, number],
) {
  const columns = [width, height, 1];
  const rows = [into[0], into[1], 1];
  const scaled = map.map((value, i) => (value * columns[i % 3]!) / rows[Math.floor(i / 3)]!);
  return scaled.map((value) => value / scaled[8]!);
}
