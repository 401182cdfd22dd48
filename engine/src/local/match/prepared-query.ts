import { type Keypoints, keypointsOf, type LocalDna } from '../../dna/local.ts';
import type { Steps } from '../../steps.ts';
import { invertedCodes } from '../features/inverted.ts';
import type { IndexQuery, InvertedIndex, Variant, Variants } from '../index/inverted-index.ts';
import { type Scene, sceneOf, sketchOf } from '../verify/guided-matching.ts';
import { mirrorKeypoints } from '../verify/tentative.ts';
import { digestOf } from './reference.ts';

/** A query with what is computed once, whatever number of references it is matched with. */
export interface PreparedQuery {
  readonly dna: LocalDna;
  readonly digest: string;
  readonly keypoints: Keypoints;
  readonly entries: IndexQuery;
  readonly variants: readonly QueryVariant[];
}

/** A query in one of its variants. */
export interface QueryVariant {
  readonly variant: Variant;
  readonly keypoints: Keypoints;
  /** For guided matching; computed at the first call. */
  readonly scene?: (() => Scene) | undefined;
}

export interface QueryPlan {
  /** The variants in which references are searched for; plain and mirrored unless given. */
  readonly variants?: Variants;
  /** Whether guided matching follows the alignment; it takes 14 bytes of memory for each feature of a reference. */
  readonly guided?: boolean;
}

export function* prepareQuery(
  dna: LocalDna,
  index: InvertedIndex,
  { variants, guided = false }: QueryPlan = {},
): Steps<PreparedQuery> {
  const entries = yield* index.lookUp(dna, variants);
  const keypoints = keypointsOf(dna);
  return {
    dna,
    digest: digestOf(dna),
    keypoints,
    entries,
    variants: Array.from(entries.keys(), (variant) => queryVariant(dna, keypoints, variant, guided)),
  };
}

function queryVariant(query: LocalDna, plain: Keypoints, variant: Variant, guided: boolean): QueryVariant {
  const keypoints = keypointsIn(variant, plain, query.width);
  let made: Scene | undefined;
  const scene = (): Scene => {
    if (made) return made;
    const codes = variant === 'inverted' ? invertedCodes(query.codes, query.count) : query.codes;
    return (made = sceneOf(query, sketchOf({ ...query, codes }), keypoints, variant === 'mirrored'));
  };
  return { variant, keypoints, scene: guided ? scene : undefined };
}

function keypointsIn(variant: Variant, plain: Keypoints, width: number): Keypoints {
  if (variant === 'mirrored') return mirrorKeypoints(plain, width);
  return variant === 'inverted' ? { ...plain, turn: plain.turn.map((turn) => turn + 128) } : plain;
}
