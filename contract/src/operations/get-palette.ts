import Type from 'typebox';
import { operation } from '../operation.ts';
import { colors } from '../parameters/colors.ts';
import { imageIds } from '../parameters/image-id.ts';
import { integerOr } from '../parameters/integer.ts';
import { withKeywords } from '../parameters/keywords.ts';
import { where } from '../parameters/metadata.ts';
import { optional } from '../parameters/parameter.ts';
import { list } from '../schema.ts';

export const getPalette = operation({
  name: 'GetPalette',
  families: ['enginequery'],
  method: 'GET',
  about:
    'Returns the most frequent colours of a set of reference pictures, with the number of pictures that have each.',
  parameters: Type.Object({
    colors,
    keywords: withKeywords,
    nb_colors: optional(integerOr({ minimum: 1, maximum: 1000 }, 'length of the answer; all colours unless given')),
    ids_list: optional(imageIds),
    where,
  }),
  answer: Type.Object({
    colors: list(Type.String({ pattern: '^[0-9a-f]{6}$' }), '`rrggbb`, the most frequent first'),
    image_count: list(Type.Integer({ minimum: 1 }), 'how many pictures have each, beside `colors`'),
  }),
  onFailure: { colors: [], image_count: [] },
});
