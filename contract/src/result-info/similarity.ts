import type { Static } from '#typebox';
import Type from '#typebox';

const score = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

/** The result_info of Image Similarity; score = (1 - colorweight) * shapeScore + colorweight * colorScore. */
export const similarity = Type.Object({
  category: Type.Literal('SIMILARITY', { description: 'constant' }),
  colorScore: score('by colours alone'),
  shapeScore: score('by shapes alone'),
  colorweight: score('the weight of colour in the score'),
});
export type Similarity = Static<typeof similarity>;
