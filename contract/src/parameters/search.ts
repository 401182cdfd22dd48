import { imageIds } from './image-id.ts';
import { flag, flagOr, integer, integerOr } from './integer.ts';
import { keywords } from './keywords.ts';
import { optional } from './parameter.ts';

/** The part of a long list of results that is answered, and the pictures among which it is made. */
export const page = {
  starting_index: integer({ minimum: 0, maximum: 999_999_999 }, 0),
  nb_results: optional(integerOr({ minimum: 0, maximum: 1000 }, 'default of the application, 10 unless set')),
  ids_list: optional(imageIds),
};

/** Whether each picture of the answer has `similarity`. */
export const similarity = flag;

/** Every search with a picture takes these. */
export const search = {
  verdicts: flag,
  ignored: optional(
    flagOr('what matches only by a picture of the ignore list: 0 (default) leaves it out, 1 lists it with `ignored`'),
  ),
  similarity,
  explain: flag,
  keywords,
  color_weight: optional(
    integerOr(
      { minimum: 0, maximum: 100 },
      'default of the application, 50 unless set; without effect but on Image Similarity applications',
    ),
  ),
  ...page,
};
