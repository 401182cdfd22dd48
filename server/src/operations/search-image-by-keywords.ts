import { keywords } from '../params/params.ts';
import { operation, withoutReferences } from './operation.ts';
import { foundImages, noImages, pageOf, pageParams, restriction, wirePage } from './search.ts';

export const searchImageByKeywords = operation({
  name: 'SearchImageByKeywords',
  families: ['enginequery'],
  method: 'POST',
  about: 'Lists the reference pictures that have all the keywords, by image_id.',
  gives: foundImages,
  params: { keywords: keywords({ required: true }), ...pageParams },
  onFailure: noImages,
  needsRecipe: true,
  refuses: withoutReferences,

  run(application, query) {
    return wirePage(application.list(restriction(query), pageOf(application, query)));
  },
});
