import { operation, withoutReferences } from '../operations/operation.ts';
import { foundImages, noImages, page, pageParams, restriction } from '../operations/search.ts';
import { keywords } from '../params/params.ts';

/**
 * What browsing takes and the interface does not have: a list of all pictures. It is asked for as the operations are,
 * but by the console alone.
 */
export const listImages = operation({
  name: 'ListImages',
  families: ['enginequery'],
  method: 'GET',
  about: 'Lists the reference pictures, all or those with all the keywords, by image_id.',
  gives: foundImages,
  params: { keywords: keywords(), ...pageParams },
  onFailure: noImages,
  needsRecipe: true,
  refuses: withoutReferences,

  run(application, query) {
    return page(application, application.withKeywords(restriction(query)), query);
  },
});
