/** The vocabulary in which operations declare their parameters. */
export { colors } from './colors.ts';
export type { AskedColor } from './colors.ts';
export { dna, optionalDna } from './dna.ts';
export { file, optionalFile } from './file.ts';
export { idsList, imageId, optionalImageId } from './image-id.ts';
export { integer, optionalInteger } from './integer.ts';
export { keywords } from './keywords.ts';
