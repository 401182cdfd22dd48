import Type from '#typebox';

/** How much of two pictures is the same where they overlap. */
export const agreeingShare = Type.Optional(
  Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'share of the overlap in which both pictures agree; absent where it is smaller than 20 cells, or was not compared',
  }),
);
