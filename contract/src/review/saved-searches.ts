import Type, { type Static } from '#typebox';
import { reviewOperation, named } from '../operation.ts';
import { dna, imageUrl, picture } from '../parameters/bytes.ts';
import { imageIdFor, imageIdRule } from '../parameters/image-id.ts';
import { flag, integerOr } from '../parameters/integer.ts';
import { someKeywords } from '../parameters/keywords.ts';
import { where } from '../parameters/metadata.ts';
import { optional, optionals } from '../parameters/parameter.ts';
import { choice, secret } from '../parameters/text.ts';
import { relations } from '../result-info/relation.ts';
import { count, list, object, optionalObject, pageOf, percent, string } from '../schema.ts';
import { page } from './schemas.ts';

export const decisions = ['Clone', 'Match', 'Similar'] as const;

export const searchId = imageIdFor(`name of the saved search: ${imageIdRule}`);

const savedSearch = object('a saved search', {
  id: string('its name'),
  decision: Type.Optional(string('the weakest decision; missing for types without decisions')),
  min_similarity: percent('per cent'),
  relation: Type.Optional(string('the only relation that is an event')),
  keywords: list(Type.String(), 'that a picture must have'),
  where: Type.Optional(list(Type.String(), 'conditions that the metadata of a picture must meet')),
  query_id: Type.Optional(string('the reference picture that is searched for')),
  application: Type.Optional(string('the application whose pictures are searched for')),
  fault: Type.Optional(string('why these pictures are not searched for at present')),
  existing: optionalObject('while the present pictures are compared, with `watched_key` and `existing`', {
    compared: count('pictures so far'),
    nb_events: count('their events so far'),
  }),
  added: string('ISO 8601, UTC'),
  who: string('name of the key'),
  thumbnail: Type.Optional(string('with `thumbnails` 1: a small JPEG in base64, if one is stored')),
});
export type ShownSearch = Static<typeof savedSearch>;

/** In the order of the documents. */
export const savedSearchOperations = named({
  saveSearch: reviewOperation({
    scope: 'add',
    method: 'POST',
    about:
      'Saves a search, by a file, a DNA or a reference picture, or for every picture of another application. From the answer on, each added picture that it finds is an event. Replaces the search of the same name. At most 10,000, and 16 with `watched_key`. Not for Mobile Matching and Filter.',
    parameters: Type.Object({
      search_id: searchId,
      image_content: optional(picture),
      image_url: imageUrl,
      dna: optional(dna),
      ...optionals({
        query_id: imageIdFor(`id of a reference picture: ${imageIdRule}`),
        watched_key: secret(
          'key of another application of the same type, with the scope `search`: each of its pictures is searched for, also those that it gets later, as long as the key is valid',
          { example: '$OTHER_KEY' },
        ),
        decision: choice(decisions, 'the weakest decision that is an event; default `Match`', 'Match'),
        min_similarity: integerOr(
          { minimum: 0, maximum: 100 },
          'per cent; 0 if missing, for types without decisions 80',
        ),
        relation: choice(
          relations,
          'the only relation that is an event, with any decision unless `decision` is given; not for types without decisions',
        ),
        keywords: { ...someKeywords, description: 'only pictures with all of them are events' },
      }),
      where,
      existing: flag(
        'the best 200 matches among the present pictures are events, too; with `watched_key` all matches of all pictures, in the background, up to 10,000 events',
      ),
    }),
    answer: Type.Object({
      saved_search: savedSearch,
      nb_events: count('events of pictures that are there already; 0 with `watched_key`, where they follow'),
    }),
  }),

  listSavedSearches: reviewOperation({
    about: 'Lists the saved searches, by name.',
    parameters: Type.Object({ thumbnails: flag('each search has its thumbnail'), ...page }),
    ...pageOf('saved_searches', savedSearch, 'number of saved searches'),
  }),

  deleteSavedSearch: reviewOperation({
    scope: 'add',
    method: 'POST',
    about: 'Deletes a saved search. Its events remain.',
    parameters: Type.Object({ search_id: searchId }),
    answer: Type.Object({ nb_saved_searches: count('saved searches that are left') }),
  }),
});
