import Type, { type Static } from '#typebox';
import { share } from '../schema.ts';

/** The result_info of Image Similarity; score = (1 - colorweight) * shapeScore + colorweight * colorScore. */
export const similarity = Type.Object({
  category: Type.Literal('SIMILARITY', { description: 'constant' }),
  colorScore: share('by colours alone'),
  shapeScore: share('by shapes alone'),
  colorweight: share('the weight of colour in the score'),
});
export type Similarity = Static<typeof similarity>;
