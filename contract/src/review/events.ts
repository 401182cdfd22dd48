import Type, { type Static } from '#typebox';
import { reviewOperation, named } from '../operation.ts';
import { dna, imageUrl, picture, imageIdFor, imageIdRule, someKeywords, where } from '../parameters/picture.ts';
import { flag, integerOr, optional, optionals, choice, secret, integer, text } from '../parameters/parameter.ts';
import { relations, relation } from '../result-info/result-info.ts';
import { count, list, object, optionalObject, pageOf, percent, string, oneOf } from '../schema.ts';
import { page } from './schemas.ts';
import { origin } from '../origin.ts';
import { hashHit } from './hash-lists.ts';

export const decisions = ['Clone', 'Match', 'Similar'] as const;

const searchId = imageIdFor(`name of the saved search: ${imageIdRule}`);

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
  existing: optionalObject('while the pictures of before are compared, with `watched_key` and `existing`', {
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
        'the best 200 matches among the pictures of now are events, too; with `watched_key` all matches of all pictures, in the background, up to 10,000 events',
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
      'Judges both pictures of an event, as Judge does: `different` and `ignore` mean that they do not match, and `same` that they do. It replaces the verdict before. UndoVerdict takes it back.',
    parameters: Type.Object({
      event_id: integerOr(eventNumber, 'of the event'),
      verdict: choice(verdicts, 'the verdict', 'different'),
    }),
    answer: Type.Object({ verdict: string('id of the verdict') }),
  }),
});

const administering = { scope: 'administer', method: 'POST' } as const;

const webhookId = imageIdFor(`name of the webhook: ${imageIdRule}`);

const webhook = object('a webhook', {
  id: string('its name'),
  url: string('where events are sent'),
  state: oneOf(['sending', 'failing', 'dead'], 'sending; failing, with further attempts; or dead, until ResumeWebhook'),
  position: count('id of the last event that was received; 0 for none'),
  waiting: count('events behind it'),
  fault: Type.Optional(string('why the last attempt failed')),
  failing_since: Type.Optional(string('ISO 8601, UTC')),
  added: string('ISO 8601, UTC'),
  who: string('name of the key'),
});
export type ShownWebhook = Static<typeof webhook>;

const signing = string('signs what is sent, as Standard Webhooks says; begins with `whsec_`');

/** In the order of the documents. */
export const webhookOperations = named({
  addWebhook: reviewOperation({
    ...administering,
    about:
      'Sends each event from now on to an address, as Standard Webhooks says. The setting `fetch_hosts` has to allow the address. Changes the address of a webhook of the same name. At most 100.',
    parameters: Type.Object({
      webhook_id: webhookId,
      url: text('an http or https address', { example: 'https://example.org/events', maxLength: 2048 }),
      after: optional(
        integerOr(
          { minimum: 0, maximum: 999_999_999_999 },
          'id of the event behind which sending begins; if missing, the latest one, and for a known webhook its position',
        ),
      ),
    }),
    answer: Type.Object({ webhook, secret: signing }),
  }),

  listWebhooks: reviewOperation({
    scope: 'administer',
    about: 'Lists the webhooks, by name.',
    parameters: Type.Object(page),
    ...pageOf('webhooks', webhook, 'number of webhooks'),
  }),

  rotateWebhookSecret: reviewOperation({
    ...administering,
    about: 'Gives a webhook a new secret. For 24 hours the previous one signs, too.',
    parameters: Type.Object({ webhook_id: webhookId }),
    answer: Type.Object({ webhook, secret: signing }),
  }),

  resumeWebhook: reviewOperation({
    ...administering,
    about: 'Sends at once what a failing or dead webhook has not received, and then tries for three days again.',
    parameters: Type.Object({ webhook_id: webhookId }),
    answer: Type.Object({ webhook }),
  }),

  deleteWebhook: reviewOperation({
    ...administering,
    about: 'Deletes a webhook.',
    parameters: Type.Object({ webhook_id: webhookId }),
    answer: Type.Object({ nb_webhooks: count('webhooks that are left') }),
  }),
});
