import Type, { type Static } from '#typebox';
import { reviewOperation, named } from '../operation.ts';
import { origin } from '../origin.ts';
import { flag, integer, integerOr } from '../parameters/integer.ts';
import { optionals } from '../parameters/parameter.ts';
import { choice, text } from '../parameters/text.ts';
import { relation, relations } from '../result-info/relation.ts';
import { count, list, object, oneOf, optionalObject, percent, string } from '../schema.ts';
import { hashHit } from './hash-lists.ts';
import { decisions, searchId } from './saved-searches.ts';

const verdicts = ['same', 'different', 'ignore'] as const;
export type EventVerdict = (typeof verdicts)[number];

const states = ['unread', 'open', ...verdicts] as const;
export type EventState = (typeof states)[number];

const eventNumber = { minimum: 1, maximum: 999_999_999_999 };

const lay = (description: string) => object(description, origin.properties);

export const event = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'ascending in the order of the additions; never given twice' }),
  at: string('ISO 8601, UTC'),
  search_id: string('name of the saved search, or of the list of hashes'),
  watched: string('what was searched for: an image_id, `dna:` and the digest of a DNA, or `pdq:` and a hash'),
  watched_in: optionalObject('where the picture that was searched for is one of another application', {
    application: string('its name'),
    image_id: string('the picture in it'),
  }),
  hash: Type.Optional(hashHit),
  image_id: string('the picture that was added'),
  origin: Type.Optional(lay('where it lay when it was found, as in a search, if a source brought it')),
  watched_origin: Type.Optional(lay('where the picture that was searched for lay then, if a source brought it')),
  decision: string('empty for types without decisions'),
  similarity: percent('per cent'),
  score: Type.Number({ description: 'as in a search' }),
  result_info: string('as in a search: the saved picture is the reference, the added one the query'),
  count: Type.Integer({
    minimum: 1,
    description: 'pictures with the same pixels that were added within a day; they are one event',
  }),
  repeats: list(Type.String(), 'image_ids of the next 20 of them'),
});
export type ShownEvent = Static<typeof event>;

const pictureOfEvent = (description: string) =>
  object(description, { thumbnail: Type.Optional(string('a small JPEG in base64, if one is stored')) });

const time = (description: string) =>
  text(`${description}: a date, or a time with its zone, ISO 8601`, { example: '2030-01-31', maxLength: 40 });

const reviewedEvent = Type.Object({
  ...event.properties,
  relation: Type.Optional(relation),
  unread: Type.Boolean({ description: 'whether nobody has read it, see MarkEventsRead' }),
  verdict: optionalObject('the latest verdict on both pictures', {
    id: string('as in ListVerdicts'),
    verdict: oneOf(verdicts, 'same, different or ignore'),
  }),
  pictures: optionalObject('with `pictures` 1', {
    watched: pictureOfEvent('the picture that was searched for'),
    found: pictureOfEvent('the picture that was added'),
  }),
});
export type ReviewedEvent = Static<typeof reviewedEvent>;

/** In the order of the documents. */
export const eventOperations = named({
  listEvents: reviewOperation({
    streams: true,
    about:
      'Lists events in their order. A program that sends the last id with each request misses none. The latest 100,000 are kept. With the header `Accept: text/event-stream` it answers with these and those to come as server-sent events; `Last-Event-ID` resumes them.',
    parameters: Type.Object({
      after: integer({ minimum: 0, maximum: 999_999_999_999 }, 0, 'the id of the last event that is known'),
      nb_results: integer({ minimum: 1, maximum: 1000 }, 50, 'length of the page'),
    }),
    answer: Type.Object({ events: list(event, 'the next ones') }),
    onFailure: { events: [] },
  }),

  reviewEvents: reviewOperation({
    about: 'Lists events for people: the latest first, each with its verdict.',
    parameters: Type.Object({
      ...optionals({
        before: integerOr(eventNumber, 'only events before this id, such as `next` of the page before'),
        since: time('only events of this time or later'),
        until: time('only events before this time'),
        search_id: searchId,
        decision: choice(decisions, 'only these'),
        relation: choice(relations, 'only these', 'part'),
        state: choice(states, 'only unread ones, `open` ones without a verdict, or those with this verdict'),
      }),
      nb_results: integer({ minimum: 0, maximum: 1000 }, 50, 'length of the page'),
      pictures: flag('each event has the thumbnails of both pictures'),
    }),
    answer: Type.Object({
      nb_unread: count('unread events, whatever is listed'),
      events: list(reviewedEvent, 'one page of them'),
      next: Type.Optional(count('where there may be more: `before` of the next page, also of an empty one', 1)),
    }),
    onFailure: { nb_unread: 0, events: [] },
  }),

  markEventsRead: reviewOperation({
    method: 'POST',
    about: 'Marks an event as read, for all keys of the application.',
    parameters: Type.Object({
      event_id: integerOr(eventNumber, 'of the event'),
      older: flag('all events before it, too'),
    }),
    answer: Type.Object({ nb_unread: count('unread events') }),
  }),

  judgeEvent: reviewOperation({
    scope: 'add',
    method: 'POST',
    about:
      'Judges both pictures of an event: `different` and `ignore` mean that they do not match, as for Judge, and `same` that they do. It replaces the verdict before. UndoVerdict takes it back.',
    parameters: Type.Object({
      event_id: integerOr(eventNumber, 'of the event'),
      verdict: choice(verdicts, 'the verdict', 'different'),
    }),
    answer: Type.Object({ verdict: string('id of the verdict') }),
  }),
});
