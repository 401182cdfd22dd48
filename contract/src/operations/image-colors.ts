import Type from 'typebox';
import { list } from '../schema.ts';

/** The answer of both operations that give the colours of one picture. */
export const imageColors = Type.Object({
  colors: list(Type.String({ pattern: '^[0-9a-f]{6}@\\d{1,3}$' }), '`rrggbb@percentage`, the largest share first'),
});
