import Type from 'typebox';
import { list } from '../schema.ts';

export const homography = Type.Object(
  {
    source: Type.Literal('reference', { description: 'constant' }),
    destination: Type.Literal('query', { description: 'constant' }),
    coefficients: list(Type.Number(), {
      minItems: 9,
      maxItems: 9,
      description: 'nine numbers, row by row, the last 1, in pixels of `resizedDimensions`',
    }),
  },
  { description: 'the map from the reference to the query' },
);
