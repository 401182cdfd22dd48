import Type from '#typebox';
import { integer } from '../parameters/integer.ts';
import { nullable } from '../schema.ts';

export const known = (description: string) => nullable(Type.Integer(), `${description}; null where it is not known`);

/** The part of a list that is answered. */
export const page = {
  starting_index: integer({ minimum: 0, maximum: 999_999_999 }, 0, 'entries before the page'),
  nb_results: integer({ minimum: 1, maximum: 1000 }, 50, 'length of the page'),
};
