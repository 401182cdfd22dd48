import Type, { type Static } from '#typebox';
import { reviewOperation, named } from '../operation.ts';
import { imageUrl, picture } from '../parameters/bytes.ts';
import { imageId, imageIdFor, imageIdRule } from '../parameters/image-id.ts';
import { integer } from '../parameters/integer.ts';
import { optional, parameter } from '../parameters/parameter.ts';
import { choice, text } from '../parameters/text.ts';
import { count, list, object, pageOf, string } from '../schema.ts';
import { page } from './schemas.ts';

const listId = imageIdFor(`name of the list: ${imageIdRule}`);
const pdq = string('64 hexadecimal digits');
const label = Type.Optional(string('as imported'));
const quality = Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'as imported' }));
const distance = (description: string) => Type.Integer({ minimum: 0, maximum: 256, description });

/** Differing bits of two hashes; more are chance. */
const bits = { minimum: 0, maximum: 128 };

const hashList = object('a list of hashes', {
  id: string('its name'),
  nb_hashes: count('its hashes'),
  distance: distance('differing bits up to which an added picture is an event'),
  added: string('ISO 8601, UTC'),
  who: string('name of the key'),
});
export type ShownHashList = Static<typeof hashList>;

/** The entry of a list that an added picture is near to. */
export const hashHit = object('where a list of hashes has a hash near that of the added picture: the nearest one', {
  list_id: string('name of the list'),
  entry: count('its place in the list, from 0'),
  pdq,
  quality,
  label,
  distance: distance('differing bits'),
  nb_near: count('hashes of the list that are near'),
});

export const formats = ['json', 'csv', 'text'] as const;
export type HashFormat = (typeof formats)[number];

export type HashMatch = Static<typeof hashListOperations.searchHashes.answer>['matches'][number];

/** In the order of the documents. */
export const hashListOperations = named({
  importHashes: reviewOperation({
    scope: 'add',
    method: 'POST',
    about:
      'Stores a list of PDQ hashes, without pictures. From the answer on, each added picture that is near to one of them is an event. Replaces the list of the same name. At most 100 lists with a million hashes. For types with saved searches.',
    parameters: Type.Object({
      list_id: listId,
      hashes: parameter('file', {
        contentMediaType: 'application/octet-stream',
        description:
          'the list, as a multipart part: a hash a line, CSV, or JSON of ThreatExchange; at most 22 MB. CSV begins with names of columns, such as `hash`, `quality` and `label`, or has these in this order',
        examples: ['@hashes.csv'],
      }),
      distance: integer(bits, 31, 'differing bits up to which an added picture is an event'),
    }),
    answer: Type.Object({
      hash_list: hashList,
      nb_skipped: count('entries of another kind than PDQ, which are left out'),
    }),
  }),

  listHashLists: reviewOperation({
    about: 'Lists the lists of hashes, by name.',
    parameters: Type.Object({ ...page }),
    ...pageOf('hash_lists', hashList, 'number of lists'),
  }),

  exportHashes: reviewOperation({
    about:
      'Returns a page of a list of hashes, in the order of the import. `data` has the form of ThreatExchange, so that the answer can be imported. With `csv` and `text` all pages, one behind the other, are the list.',
    parameters: Type.Object({
      list_id: listId,
      format: optional(choice(formats, 'default `json`', 'csv')),
      starting_index: page.starting_index,
      nb_results: integer({ minimum: 1, maximum: 10_000 }, 1000, 'length of the page'),
    }),
    answer: Type.Object({
      nb_results_found: count('hashes of the list'),
      data: Type.Optional(
        list(
          Type.Object({
            indicator: pdq,
            type: Type.Literal('HASH_PDQ', { description: 'the kind of hash' }),
            id: Type.Optional(string('the label')),
            quality,
          }),
          'with `json`',
        ),
      ),
      text: Type.Optional(string('with `csv` and `text`; the first page of CSV begins with the names of the columns')),
    }),
    onFailure: { nb_results_found: 0 },
  }),

  searchHashes: reviewOperation({
    method: 'POST',
    changes: false,
    about:
      'Finds the hashes of the lists that differ in few bits from that of a picture, the nearest first. Every hash is compared. A reference picture is compared by its thumbnail, whose hash differs, mostly by less than 20 bits.',
    parameters: Type.Object({
      pdq: optional(text('the hash: 64 hexadecimal digits; or a picture', { example: '0f'.repeat(32), maxLength: 64 })),
      image_id: optional(imageId),
      image_content: optional(picture),
      image_url: imageUrl,
      list_id: optional(listId),
      distance: integer(bits, 31, 'differing bits of a listed hash'),
      nb_results: page.nb_results,
    }),
    answer: Type.Object({
      pdq: string('the hash that was searched for'),
      nb_results_found: count('hashes that are near, listed or not'),
      matches: list(
        Type.Object({
          list_id: string('name of the list'),
          entry: count('its place in the list, from 0'),
          pdq,
          quality,
          label,
          distance: distance('differing bits'),
        }),
        'the nearest first, then by list and place',
      ),
    }),
    onFailure: { pdq: '', nb_results_found: 0, matches: [] },
  }),

  deleteHashList: reviewOperation({
    scope: 'add',
    method: 'POST',
    about: 'Deletes a list of hashes. Its events remain.',
    parameters: Type.Object({ list_id: listId }),
    answer: Type.Object({ nb_hash_lists: count('lists that are left') }),
  }),
});
