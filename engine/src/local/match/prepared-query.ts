import { type Keypoints, keypointsOf, type LocalDna } from '../../dna/local.ts';
import type { Steps } from '../../steps.ts';
import { invertedCodes } from '../features/inverted.ts';
import { DEFAULT_VARIANTS, type Variant, type Variants } from '../index/look-up.ts';
import { type LocalQuery, entriesOf } from '../index/terms.ts';
import { type Layout, layoutOf } from '../overlap/layout.ts';
import { type Scene, sceneOf, sketchOf } from '../verify/guided-matching.ts';
import { mirrorKeypoints } from '../verify/tentative.ts';
import { digestOf } from './reference.ts';

/** A query with what is computed once, whatever number of references it is matched with. */
export interface PreparedQuery {
  readonly dna: LocalDna;
  readonly digest: string;
  readonly keypoints: Keypoints;
  readonly variants: readonly QueryVariant[];
  /** The entries of the variants. */
  readonly looked: readonly LocalQuery[];
  /** Of the miniature, where a second look needs it. */
  readonly layout: Layout | undefined;
}

/** A query in one of its variants. */
export interface QueryVariant {
  readonly variant: Variant;
  readonly entries: LocalQuery;
  readonly keypoints: Keypoints;
  /** For guided matching; computed at the first call. */
  readonly scene?: (() => Scene) | undefined;
}

export interface QueryPlan {
  /** The variants in which references are searched for; plain and mirrored unless given. */
  readonly variants?: Variants;
  /** Whether guided matching follows the alignment; it takes 14 bytes of memory for each feature of a reference. */
  readonly guided?: boolean;
  /** Whether a second look at pairs in doubt follows, see `PairOptions`. */
  readonly secondLook?: boolean;
  /** Terms that a feature of the query is looked up under in a search engine; none unless given. */
  readonly terms?: number;
}

export function* prepareQuery(
  dna: LocalDna,
  { variants = DEFAULT_VARIANTS, guided = false, secondLook = false, terms = 0 }: QueryPlan = {},
): Steps<PreparedQuery> {
  const all = yield* entriesOf(dna, variants, terms);
  const keypoints = keypointsOf(dna);
  return {
    dna,
    digest: digestOf(dna),
    keypoints,
    variants: all.map((entries) => queryVariant(dna, keypoints, entries, guided)),
    looked: all,
    layout: secondLook ? layoutOf(dna.miniature) : undefined,
  };
}

function queryVariant(query: LocalDna, plain: Keypoints, entries: LocalQuery, guided: boolean): QueryVariant {
  const { variant } = entries;
  const keypoints = keypointsIn(variant, plain, query.width);
  let made: Scene | undefined;
  const scene = (): Scene => {
    if (made) return made;
    const codes = variant === 'inverted' ? invertedCodes(query.codes, query.count) : query.codes;
    return (made = sceneOf(query, sketchOf({ ...query, codes }), keypoints, variant === 'mirrored'));
  };
  return { variant, entries, keypoints, scene: guided ? scene : undefined };
}

function keypointsIn(variant: Variant, plain: Keypoints, width: number): Keypoints {
  if (variant === 'mirrored') return mirrorKeypoints(plain, width);
  return variant === 'inverted' ? { ...plain, angle: plain.angle.map((angle) => angle + 128) } : plain;
}
