import type { Explanation, ImageNumber, ResultInfo } from '@sosia/engine';

/** The part of the ordered list of all matches that is wanted. */
export interface Window {
  /** In (0, 1]: matches of this score or a higher one are no part of the list. */
  readonly below: number;
  readonly start: number;
  readonly count: number;
}

/** A reference picture that matched, before it gets its id and keywords back. */
export interface Hit {
  readonly image: ImageNumber;
  readonly score: number;
  readonly resultInfo: ResultInfo | null;
  /** As in the verdict. */
  readonly places?: readonly Float32Array[];
  readonly toned?: number;
  /** Where the search explains, and the type has something to explain. */
  readonly explanation?: Explanation;
}

/** The wanted part of the ordered list of all matches. */
export interface Found {
  /** The length of the whole list. */
  readonly found: number;
  /** Best score first, ties in the total order of the pictures. */
  readonly hits: readonly Hit[];
  /** Whether the search ended before the whole shortlist was compared, because it had taken too much work. */
  readonly truncated?: boolean;
}

/** @throws for a score that would not sort */
export function checkScore(image: ImageNumber, score: number): void {
  if (!(score >= 0 && score < 1)) throw new Error(`picture ${image}: expected a score in [0, 1), got ${score}`);
}
