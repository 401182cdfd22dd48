import { errorCodes } from '@sosia/client';

const bandOf = (code: number): number => Math.trunc(code / -100);

/** Whether a refusal is about the picture that was sent; see the bands of docs/errors.md. */
export function isAboutPicture(code: number): boolean {
  return bandOf(code) === bandOf(errorCodes.NOT_A_PICTURE) && code !== errorCodes.INTERNAL;
}

export function isAboutKey(code: number): boolean {
  return bandOf(code) === bandOf(errorCodes.UNKNOWN_APPLICATION);
}
