import type { Static } from '#typebox';
import Type from '#typebox';
import { operation } from '../operation.ts';
import { dna, imageUrl, picture } from '../parameters/bytes.ts';
import { imageIdFor, imageIdRule } from '../parameters/image-id.ts';
import { flag, integer, integerOr } from '../parameters/integer.ts';
import { someKeywords } from '../parameters/keywords.ts';
import { optional } from '../parameters/parameter.ts';
import { secret, text } from '../parameters/text.ts';
import { count, list, object, string } from '../schema.ts';
import { hashHit } from './hash-lists.ts';
import { page } from './schemas.ts';

export const decisions = ['Clone', 'Match', 'Similar'] as const;

export const searchId = imageIdFor(`name of the saved search: ${imageIdRule}`);

const savedSearch = object('a saved search', {
  id: string('its name'),
  decision: Type.Optional(string('the weakest decision; missing for types without decisions')),
  min_similarity: Type.Number({ minimum: 0, maximum: 100, description: 'per cent' }),
  keywords: list(Type.String(), 'that a picture must have'),
  query_id: Type.Optional(string('the reference picture that is searched for')),
  application: Type.Optional(string('the application whose pictures are searched for')),
  fault: Type.Optional(string('why these pictures are not searched for at present')),
  added: string('ISO 8601, UTC'),
  who: string('name of the key'),
  thumbnail: Type.Optional(string('with `thumbnails` 1: a small JPEG in base64, if one is stored')),
});
export type ShownSearch = Static<typeof savedSearch>;

export const event = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'ascending in the order of the additions; never given twice' }),
  at: string('ISO 8601, UTC'),
  search_id: string('name of the saved search, or of the list of hashes'),
  watched: string('what was searched for: an image_id, `dna:` and the digest of a DNA, or `pdq:` and a hash'),
  watched_in: Type.Optional(
    object('where the picture that was searched for is one of another application', {
      application: string('its name'),
      image_id: string('the picture in it'),
    }),
  ),
  hash: Type.Optional(hashHit),
  image_id: string('the picture that was added'),
  decision: string('empty for types without decisions'),
  similarity: Type.Number({ minimum: 0, maximum: 100, description: 'per cent' }),
  score: Type.Number({ description: 'as in a search' }),
  result_info: string('as in a search: the saved picture is the reference, the added one the query'),
  count: Type.Integer({
    minimum: 1,
    description: 'pictures with the same pixels that were added within a day; they are one event',
  }),
  repeats: list(Type.String(), 'image_ids of the next 20 of them'),
});
export type ShownEvent = Static<typeof event>;

export const saveSearch = operation({
  families: ['review'],
  name: 'SaveSearch',
  scope: 'add',
  method: 'POST',
  about:
    'Saves a search, by a file, a DNA or a reference picture, or for every picture of another application. From the answer on, each added picture that it finds is an event. Replaces the search of the same name. At most 10,000, and 16 with `watched_key`. Not for Mobile Matching and Filter, and not in a cluster.',
  parameters: Type.Object({
    search_id: searchId,
    image_content: optional(picture),
    image_url: imageUrl,
    dna: optional(dna),
    query_id: optional(imageIdFor(`id of a reference picture: ${imageIdRule}`)),
    watched_key: optional(
      secret(
        'key of another application of the same type, with the scope `search`: each of its pictures is searched for, also those that it gets later, as long as the key is valid',
        { example: '$OTHER_KEY' },
      ),
    ),
    decision: optional(
      text('the weakest decision that is an event; default `Match`', { example: 'Match', enum: decisions }),
    ),
    min_similarity: optional(
      integerOr({ minimum: 0, maximum: 100 }, 'per cent; 0 if missing, for types without decisions 80'),
    ),
    keywords: optional({ ...someKeywords, description: 'only pictures with all of them are events' }),
    existing: flag('the best 200 matches among the pictures of now are events, too; not with `watched_key`'),
  }),
  answer: Type.Object({
    saved_search: savedSearch,
    nb_events: count('events of pictures that are there already'),
  }),
});

export const listSavedSearches = operation({
  families: ['review'],
  name: 'ListSavedSearches',
  method: 'GET',
  about: 'Lists the saved searches, by name.',
  parameters: Type.Object({ thumbnails: flag('each search has its thumbnail'), ...page }),
  answer: Type.Object({
    nb_results_found: count('number of saved searches'),
    saved_searches: list(savedSearch, 'one page of them'),
  }),
  onFailure: { nb_results_found: 0, saved_searches: [] },
});

export const deleteSavedSearch = operation({
  families: ['review'],
  name: 'DeleteSavedSearch',
  scope: 'add',
  method: 'POST',
  about: 'Deletes a saved search. Its events remain.',
  parameters: Type.Object({ search_id: searchId }),
  answer: Type.Object({ nb_saved_searches: count('saved searches that are left') }),
});

export const listEvents = operation({
  families: ['review'],
  name: 'ListEvents',
  method: 'GET',
  streams: true,
  about:
    'Lists events in their order. A program that sends the last id with each request misses none. The latest 100,000 are kept. With the header `Accept: text/event-stream` it answers with these and those to come as server-sent events; `Last-Event-ID` resumes them.',
  parameters: Type.Object({
    after: integer({ minimum: 0, maximum: 999_999_999_999 }, 0, 'the id of the last event that is known'),
    nb_results: integer({ minimum: 1, maximum: 1000 }, 50, 'length of the page'),
  }),
  answer: Type.Object({ events: list(event, 'the next ones') }),
  onFailure: { events: [] },
});
