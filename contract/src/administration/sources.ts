import Type, { type Static } from '#typebox';
import { administrationOperation, named } from '../operation.ts';
import { sourceKinds } from '../origin.ts';
import { flag, flagOr, integerOr, pageParameters } from '../parameters/integer.ts';
import { keywords } from '../parameters/keywords.ts';
import { optional, optionals } from '../parameters/parameter.ts';
import { choice, secret, text, texts } from '../parameters/text.ts';
import { count, list, nullable, object, oneOf, string } from '../schema.ts';
import { application } from './applications.ts';

const source = text('name or id of the source', { example: 'posters' });
const dryRun = flag('nothing is changed, and the answer has `preview`');

const settings = optionals({
  interval: integerOr({ minimum: 5, maximum: 31_536_000 }, 'seconds between two passes; default 30'),
  paused: flagOr('whether no pass begins'),
  writable: flagOr(
    "whether those who delete pictures may also move or delete their files; for folders and buckets, by an administrator's key; default 0",
  ),
});

const ENDPOINT = 'https://s3.eu-central-1.amazonaws.com';

/** The parameters of each kind. */
const places = optionals({
  path: text(
    'of a folder, also of films, and of a web archive (WARC) or a folder of them: its absolute path on the machine of the service',
    { example: '/srv/posters', maxLength: 4096 },
  ),
  bucket: text('of a bucket: its name', { example: 'posters', maxLength: 63 }),
  endpoint: text('of a bucket: the address of its service', { example: ENDPOINT, maxLength: 300 }),
  region: text('of a bucket: its region; default `us-east-1`', { example: 'eu-central-1', maxLength: 100 }),
  key_prefix: text('of a bucket: beginning of the keys to follow', { example: 'posters/', maxLength: 1024 }),
  access_key: text('of a bucket: the id of its access key', { example: 'AKIAEXAMPLE' }),
  secret_key: secret('of a bucket: its secret key, which no answer contains', { example: 'SECRET' }),
  urls: texts(
    'of the web: addresses of pictures, and of sitemaps, feeds (RSS, Atom) and lists of addresses, one in a line',
    { example: 'https://images.example.org/sitemap.xml', maxLength: 2048 },
  ),
});

const progress = object('of the pass that runs, or of the last one', {
  listed: nullable(count('pictures in the listing'), 'null until it is known'),
  work: count('pictures to read'),
  done: count('those of them that were read'),
  added: count('pictures that were added'),
  changed: count('pictures that were replaced'),
  moved: count('pictures that got another image_id, since they lie elsewhere now'),
  removed: count('pictures that were removed'),
  failed: count('pictures that could not be read'),
  seconds_left: nullable(Type.Integer(), 'estimate; null where none can be made'),
});

const states = ['waiting', 'running', 'paused', 'confirmation needed', 'failed', 'leaving'] as const;

const shownSource = object('the source', {
  id: string('names the source in operations'),
  name: string('for people'),
  application: string('name of its application'),
  kind: oneOf(sourceKinds, 'what it follows'),
  place: string('the folder, bucket or addresses that it follows'),
  prefix: string('beginning of each image_id'),
  keywords: list(Type.String(), 'of new pictures'),
  interval: count('seconds between two passes'),
  writable: Type.Boolean({ description: 'whether removing pictures may also move or delete their files' }),
  state: oneOf(
    states,
    '`confirmation needed`: the next pass would remove many pictures, see `question`. `failed`: see `fault`; the next pass tries again',
  ),
  pictures: count('its pictures in the application'),
  failed: count('pictures that cannot be read, see GetSource'),
  progress,
  last_pass: nullable(Type.String(), 'end of the last pass, ISO 8601, UTC; or null'),
  fault: string('why the last pass did not list everything, so that it removed nothing; or empty'),
  question: nullable(
    Type.Object({ removals: count('pictures to remove'), of: count('pictures of the source') }),
    'what ConfirmSource agrees to, or null',
  ),
});
export type ShownSource = Static<typeof shownSource>;

const preview = object('what the next pass would do', {
  listed: count('pictures in the listing'),
  added: count('pictures that would be added, or moved'),
  changed: count('pictures that would be read again'),
  removed: count('pictures that would be removed, or are moved'),
  fault: string('why the listing is not whole, or empty'),
});
export type SourcePreview = Static<typeof preview>;

const failure = Type.Object({
  key: string('which picture of the source'),
  image_id: string('the image_id it would have'),
  code: Type.Integer({
    description: 'of errors.md; 0 where the source could not be read, which each pass tries again',
  }),
  message: string('why there is no picture'),
});

const selected = { application: optional(application), source };
const one = Type.Object({ source: shownSource });

/** In the order of the documents. */
export const sourceOperations = named({
  listSources: administrationOperation({
    about:
      "Lists the sources of an application, by name. Without `application`, an administrator's key means those of all.",
    parameters: Type.Object({ application: optional(application) }),
    answer: Type.Object({ sources: list(shownSource, 'by name') }),
  }),

  getSource: administrationOperation({
    about: 'Describes a source, with the pictures that could not be read.',
    parameters: Type.Object({
      ...selected,
      ...pageParameters('failures', 100),
    }),
    answer: Type.Object({
      source: shownSource,
      failures: list(failure, 'one page of them, by image_id'),
    }),
  }),

  createSource: administrationOperation({
    method: 'POST',
    about: "Creates a source, which the service follows from then on: see sources.md. Needs an administrator's key.",
    parameters: Type.Object({
      application: optional(application),
      name: text('name of the source for people', { example: 'posters', maxLength: 100 }),
      kind: choice(sourceKinds, 'what is followed'),
      ...places,
      prefix: optional(
        text('beginning of each image_id, before what names the picture in its source; default none', {
          example: 'posters/',
          maxLength: 100,
        }),
      ),
      keywords,
      ...settings,
      dry_run: dryRun,
    }),
    answer: Type.Object({
      source: nullable(shownSource, 'the source; null for a dry run'),
      preview: nullable(preview, 'of a dry run, otherwise null'),
    }),
  }),

  setSource: administrationOperation({
    method: 'POST',
    about:
      'Changes the settings that are given. A pass that runs ends where the source is paused, and continues later.',
    parameters: Type.Object({ ...selected, ...settings }),
    answer: one,
  }),

  runSource: administrationOperation({
    method: 'POST',
    about: 'Begins a pass soon, without waiting for the interval.',
    parameters: Type.Object({ ...selected, retry: flag('pictures that failed are read again'), dry_run: dryRun }),
    answer: Type.Object({
      source: shownSource,
      preview: nullable(preview, 'of a dry run, otherwise null'),
    }),
  }),

  confirmSource: administrationOperation({
    method: 'POST',
    about:
      'Agrees to the removal that the question of a source names. If more pictures are missing by then, there is a new question.',
    parameters: Type.Object({
      ...selected,
      removals: integerOr({ minimum: 1, maximum: 999_999_999 }, '`removals` of the question'),
    }),
    answer: one,
  }),

  deleteSource: administrationOperation({
    method: 'POST',
    about: 'Stops following a source. Its pictures stay in the application, or leave it soon.',
    parameters: Type.Object({
      ...selected,
      pictures: choice(['keep', 'remove'], 'what happens to its pictures'),
    }),
    answer: one,
  }),
});
