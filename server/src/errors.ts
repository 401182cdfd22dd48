/**
 * Every way an operation can fail: its name in the code, the number on the wire and the words. docs/errors.md is made
 * from this table. Bands: -1xxx the picture or the input, -26xx queries, -28xx modifications.
 * `{}` in a message stands for what was expected and what came.
 */
export const errors = {
  NOT_ENOUGH_INFORMATION: {
    code: -1002,
    message: 'The image does not hold enough information to be described: {}',
    when: 'AddImage and the searches, for a picture that is flat, tiny or without structure.',
  },
  BAD_KEYWORD: {
    code: -1404,
    message: 'A keyword has characters that are not allowed: {}',
    when: 'A keyword that breaks the rule for keywords.',
  },
  UNKNOWN_IMAGE: {
    code: -2601,
    message: 'Unknown image id: {}',
    when: 'GetImageById, GetDnaById, SearchImageById and GetImageColorsById, for an id that is not in the application.',
  },
  ASYMMETRIC_DNA: {
    code: -2609,
    message: 'SearchImageById is not available for asymmetric DNA',
    when: 'SearchImageById on a Mobile Matching application.',
  },
  IMAGE_NOT_FOUND: {
    code: -2802,
    message: 'Image not found: {}',
    when: 'DeleteImage, for an id that is not in the application.',
  },
} as const satisfies Record<string, { code: number; message: string; when: string }>;

export type ErrorName = keyof typeof errors;

/** A failed operation. Becomes HTTP 200 with the negative code in the envelope. */
export class Failure extends Error {
  readonly error: ErrorName;
  readonly code: number;
  constructor(error: ErrorName, detail: string) {
    super(errors[error].message.replace('{}', () => detail));
    this.error = error;
    this.code = errors[error].code;
  }
}

export function fail(error: ErrorName, detail = ''): Failure {
  return new Failure(error, detail);
}
