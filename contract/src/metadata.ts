import Type from '#typebox';

/** What a client keeps with a picture: a JSON object. */
export type Metadata = { readonly [name: string]: Scalar | object };

/** Of an image in an answer. */
export const shownMetadata = Type.Unsafe<Metadata>({
  type: 'object',
  additionalProperties: true,
  description: 'the metadata of the picture; absent if it has none',
});

export type Scalar = string | number | boolean | null;

/** A condition on a value of the metadata. */
export interface Condition {
  /** Names with `.` between them. */
  readonly path: string;
  /** `present`: the picture has a value there, whichever. */
  readonly comparison: '=' | '<=' | '>=' | '<' | '>' | 'present';
  /** null where it is `present`. */
  readonly value: Scalar;
}
