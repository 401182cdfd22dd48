import Type from '#typebox';
import { list, object } from '../schema.ts';

export const homography = object('the map from the reference to the query', {
  source: Type.Literal('reference', { description: 'constant' }),
  destination: Type.Literal('query', { description: 'constant' }),
  coefficients: list(Type.Number(), 'nine numbers, row by row, the last 1, in pixels of `resizedDimensions`', {
    minItems: 9,
    maxItems: 9,
  }),
});
