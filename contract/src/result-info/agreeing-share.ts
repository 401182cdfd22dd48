import Type from '#typebox';
import { share } from '../schema.ts';

/** How much of two pictures is the same where they overlap. */
export const agreeingShare = Type.Optional(
  share(
    'share of the overlap in which both pictures agree; absent where it is smaller than 20 cells, or was not compared',
  ),
);
