import type { ApplicationType } from '@sosia/engine';

/** The application types for people who choose one. */
export const typeChoices: readonly { type: ApplicationType; title: string; about: string }[] = [
  {
    type: 'media-matching',
    title: 'Media Matching',
    about: 'Finds copies and edits of a picture: cropped, pasted, mirrored, recompressed.',
  },
  {
    type: 'image-similarity',
    title: 'Image Similarity',
    about: 'Ranks pictures that look alike, by shape and colour.',
  },
  {
    type: 'color-similarity',
    title: 'Color similarity',
    about: 'Ranks pictures by their colours, also without a picture to start from.',
  },
  {
    type: 'mobile-matching',
    title: 'Mobile Matching',
    about: 'Recognizes covers, posters and packages on photographs of a phone.',
  },
  { type: 'brand-monitoring', title: 'Brand monitoring', about: 'Finds logos in photographs.' },
  { type: 'filter', title: 'Filter', about: 'Scores pictures by trained profiles. It holds no pictures.' },
];
