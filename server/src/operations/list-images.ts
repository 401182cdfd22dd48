import { keywords, optionalImageId } from '../params/params.ts';
import { integer } from '../params/schema.ts';
import { operation, withoutReferences } from './operation.ts';
import { foundImages, noImages, pageOf, pageParams, restriction, wirePage } from './search.ts';

/** An addition to the interface, for what goes through all pictures: browsing, export. */
export const listImages = operation({
  name: 'ListImages',
  families: ['enginemodify', 'enginequery'],
  method: 'GET',
  about:
    'Lists the reference pictures, those that have all the keywords if any are given, by the bytes of image_id. Each page asked for with the last id of the page before as `after` passes over nothing that stays, whatever is added and deleted meanwhile.',
  gives: { ...foundImages, nb_results_found: integer('how many come after `after`', { minimum: 0 }) },
  params: { keywords: keywords(), after: optionalImageId(), ...pageParams },
  onFailure: noImages,
  refuses: withoutReferences,

  run(application, { after, ...query }) {
    return wirePage(application.list(restriction(query), pageOf(application, query), after));
  },
});
