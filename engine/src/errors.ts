/** Thrown by `describe`: the picture holds too little to be recognised by. The message says why. */
export class PlainPictureError extends Error {}

/** Thrown for bytes that are not a DNA this version can read. The message says what was found. */
export class DnaError extends Error {}
