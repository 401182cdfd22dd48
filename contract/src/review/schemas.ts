import Type from '#typebox';
import { pageParameters } from '../parameters/integer.ts';
import { nullable } from '../schema.ts';

export const known = (description: string) => nullable(Type.Integer(), `${description}; null where it is not known`);

/** The part of a list that is answered. */
export const page = pageParameters('entries', 50);
