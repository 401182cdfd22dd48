import { imageIds } from './image-id.ts';
import { flag, flagOr, integer, integerOr } from './integer.ts';
import { withKeywords } from './keywords.ts';
import { where } from './metadata.ts';
import { optional, optionals } from './parameter.ts';

/** The part of a long list of results that is answered, and the pictures among which it is made. */
export const page = {
  starting_index: integer({ minimum: 0, maximum: 999_999_999 }, 0, 'results before the page'),
  ...optionals({
    nb_results: integerOr(
      { minimum: 0, maximum: 1000 },
      'length of the page; default of the application, 10 unless set',
    ),
    ids_list: imageIds,
  }),
  where,
};

/** Every search that compares pictures takes it. */
export const fold = flag(
  'copies of one picture, and stills of one scene of a film, are one result, the further ones in its `copies`; pages count results, of the first 1,000',
);

export const similarity = flag('each result has `similarity`, in per cent');

/** Every search with a picture takes these. */
export const search = {
  verdicts: flag('pictures that a review judged not to match the query are left out'),
  ignored: optional(
    flagOr('what matches only by a picture of the ignore list: 0 (default) leaves it out, 1 lists it with `ignored`'),
  ),
  similarity,
  fold,
  explain: flag('each result has `explanation`; with one id in `ids_list`, `why_not` says why it was not found'),
  keywords: withKeywords,
  color_weight: optional(
    integerOr(
      { minimum: 0, maximum: 100 },
      'weight of colour against shape in per cent; default of the application, 50 unless set; for Image Similarity alone',
    ),
  ),
  ...page,
};
