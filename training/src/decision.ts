// Learns what distinguishes copies from pictures that share a frame, a design or a pose: the weights in
// engine/src/local/match/copy-model.ts. Deterministic.
//
//     npm run build
//     node benchmarks/dist/decisions/training-sets.js FOLDER && node training/dist/decision.js FOLDER
//
// Each query of a family is searched among its references. Each pair with some evidence is an example. Kinds of pictures
// weigh by the square root of their number, copies in all as much as others.
import { readFileSync } from 'node:fs';
import { PlainPictureError } from '@sosia/engine/errors';
import { overlapOf } from '@sosia/engine/local/overlap/overlap';
import { copyFeatureNames, copyFeatures } from '@sosia/engine/local/match/copy-features';
import { MIN_SIMILAR_EVIDENCE } from '@sosia/engine/local/match/decision';
import type { PairMatch } from '@sosia/engine/local/match/match-pair';
import { SynchronousPartition } from '@sosia/engine/partition/synchronous';
import { finished } from '@sosia/engine/steps';
import { mediaMatching, mediaPartition } from '@sosia/engine/types/media-matching';
import { type Example, logisticRegression } from './logistic-regression.ts';
import { decoded } from './pictures.ts';

/** Pictures of one set of references, as benchmarks/src/decisions/training-sets.ts writes them. */
interface TrainingSet {
  /** Files. */
  readonly references: readonly string[];
  readonly queries: readonly Query[];
}

interface Query {
  readonly path: string;
  readonly kind: string;
  /** Numbers of the references that show. */
  readonly shown: readonly number[];
  /** Number of the reference that is this picture. */
  readonly self?: number;
}

const RIDGE_PENALTY = 0.1;
/** The sum of the weights of a class. */
const CLASS_WEIGHT = 500;
/** Taken from the constant: a false match costs more than a copy that is only Similar. */
const INTERCEPT_REDUCTION = 0.5;
/** References of each query that are verified. */
const MAX_REFERENCES = 24;
/** Others of these kinds show the same things, in part: films with a poster and a cover, editions of one product. */
const alike = /film posters|packshots/;

const families = JSON.parse(readFileSync(`${process.argv[2]}/training-sets.json`, 'utf8')) as TrainingSet[];
const pairs: { kind: string; positive: boolean; vector: number[] }[] = [];
for (const family of families) {
  let features: number[] | undefined;
  const partition = mediaPartition((match) => {
    features = featuresOf(match);
    return undefined;
  });
  for (const [image, path] of family.references.entries()) {
    const dna = await dnaOf(path, 'reference');
    if (dna) partition.add(image, dna);
  }
  for (const { path, kind, shown, self } of family.queries) {
    const dna = await dnaOf(path, 'query');
    if (!dna) continue;
    const { copies, images, votes } = new SynchronousPartition(partition).candidates(dna, null, MAX_REFERENCES);
    const byVotes = [...images.keys()].sort((a, b) => votes[b] - votes[a] || images[a] - images[b]);
    const candidates = [...copies, ...byVotes.map((place) => images[place])];
    for (const image of candidates) {
      features = undefined;
      finished(partition.verify(dna, [image]));
      const positive = shown.includes(image);
      if (features && image !== self && (positive || !alike.test(kind)))
        pairs.push({ kind, positive, vector: withProducts(features) });
    }
  }
}

const counts = new Map<string, number>();
const keyOf = ({ kind, positive }: { kind: string; positive: boolean }): string => `${kind} ${positive}`;
for (const pair of pairs) counts.set(keyOf(pair), (counts.get(keyOf(pair)) ?? 0) + 1);
const weighed = pairs.map((pair): Example => ({ ...pair, weight: 1 / Math.sqrt(counts.get(keyOf(pair))!) }));
const sumOf = (positive: boolean): number =>
  weighed.reduce((sum, example) => (example.positive === positive ? sum + example.weight : sum), 0);
const sums = { true: sumOf(true), false: sumOf(false) };
const examples = weighed.map((example) => ({
  ...example,
  weight: (CLASS_WEIGHT * example.weight) / sums[`${example.positive}`],
}));
const weights = logisticRegression(examples, RIDGE_PENALTY);
weights[0] -= INTERCEPT_REDUCTION;
const hundredths = weights.map((weight) => Math.round(100 * weight));
const right = pairs.filter(({ vector, positive }) => {
  return [1, ...vector].reduce((sum, value, k) => sum + hundredths[k] * value, 0) >= 0 === positive;
});
console.log(`${pairs.filter(({ positive }) => positive).length} copies, ${pairs.length} pairs, ${right.length} right`);
for (let row = 0, at = 0; row <= copyFeatureNames.length; at += ++row)
  console.log(`[${hundredths.slice(at, at + row + 1).join(', ')}],`);

/** Each feature, followed by its products with the features up to itself. */
function withProducts(features: readonly number[]): number[] {
  return features.flatMap((value, i) => [value, ...features.slice(0, i + 1).map((other) => value * other)]);
}

function featuresOf({ query, reference, placements, exact }: PairMatch): number[] | undefined {
  const [placement] = placements;
  if (exact || !placement.possible || placement.ambiguous || placement.evidence < MIN_SIMILAR_EVIDENCE)
    return undefined;
  const overlap = overlapOf(reference, query, placement.homography, { contradiction: true });
  if (!overlap?.contradiction || !reference.sketch) return undefined;
  return copyFeatures({ query, reference }, placement, reference.sketch, {
    ...overlap,
    contradiction: overlap.contradiction,
  });
}

/** Undefined for pictures that are too plain. */
async function dnaOf(path: string, side: 'reference' | 'query'): Promise<Uint8Array | undefined> {
  const picture = await decoded(path, mediaMatching.workingSize);
  try {
    return mediaMatching.describe(picture, side);
  } catch (error) {
    if (error instanceof PlainPictureError) return undefined;
    throw error;
  }
}
