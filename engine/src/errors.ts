/** Thrown by `describe`: the picture has too little content to be recognised. The message gives the reason. */
export class PlainPictureError extends Error {}

/** Thrown for bytes that are not a DNA this version can read. The message names what was found. */
export class DnaError extends Error {}
