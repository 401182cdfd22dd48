import Type from 'typebox';
import { integer } from '../parameters/integer.ts';

export const count = (description: string) => Type.Integer({ minimum: 0, description });

export const known = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description}; null where it is not known` });

/** The part of a list that is answered. */
export const page = {
  starting_index: integer({ minimum: 0, maximum: 999_999_999 }, 0, 'entries before the page'),
  nb_results: integer({ minimum: 1, maximum: 1000 }, 50, 'length of the page'),
};
