import Type from '#typebox';
import { administrationOperation, named } from '../operation.ts';
import { flagOr, integerOr } from '../parameters/integer.ts';
import { optional, optionals } from '../parameters/parameter.ts';
import { decimal, text, texts } from '../parameters/text.ts';
import { resultInfos } from '../result-info/result-info.ts';
import { list, object, string } from '../schema.ts';

type ApplicationType = keyof typeof resultInfos;
const types = Object.keys(resultInfos) as ApplicationType[];

/** The application that an operation is about. An application key may leave it out. */
export const application = text('name or number of the application', { example: 'posters' });

const confirm = text('the name of the application, as a confirmation', { example: 'posters' });
const name = text('name for people', { example: 'posters', maxLength: 100 });

const settings = optionals({
  nb_results: integerOr({ minimum: 1, maximum: 1000 }, 'default of searches for `nb_results`'),
  color_weight: integerOr({ minimum: 0, maximum: 100 }, 'default of searches for `color_weight`'),
  retrieval_threshold: decimal('results with this score or a higher one are not listed', {
    exclusiveMinimum: 0,
    maximum: 1,
  }),
  thumbnails: flagOr('whether files added from now on get a thumbnail'),
});

const shownApplication = object('the application', {
  number: Type.Integer({ description: 'assigned by the service, never again' }),
  name: string('name for people'),
  type: Type.Unsafe<ApplicationType>({ type: 'string', enum: types, description: 'application type' }),
  title: string('the type in words'),
  enabled: Type.Boolean({ description: 'whether its keys are accepted' }),
  state: Type.Optional(
    Type.Unsafe<'incoming' | 'moved'>({
      type: 'string',
      enum: ['incoming', 'moved'],
      description:
        '`incoming` while `sosia move` copies it here, and no key is accepted; `moved` where it was moved to another place, which takes the changes; missing otherwise',
    }),
  ),
  nb_images: Type.Optional(
    Type.Integer({
      description: 'number of reference pictures; missing while a part of the cluster with them is missing',
    }),
  ),
  nb_damaged_images: Type.Integer({ description: 'pictures that are damaged and set aside' }),
  index_bytes: Type.Integer({ description: 'memory of the index' }),
  nb_results: Type.Integer({ description: 'default of searches' }),
  color_weight: Type.Integer({ description: 'default of searches' }),
  retrieval_threshold: Type.Number({ description: 'results with this score or a higher one are not listed' }),
  thumbnails: Type.Boolean({ description: 'whether thumbnails are stored' }),
  ignore_background: Type.Boolean({ description: 'whether colours are those of the object alone' }),
  profiles: list(Type.String(), 'names of the profiles of a Filter application'),
  nb_keys: Type.Integer({ description: 'number of keys' }),
});

const one = Type.Object({ application: shownApplication });

/** In the order of the documents. */
export const applicationOperations = named({
  listApplications: administrationOperation({
    about: 'Lists the applications, by number. With the key of an application, only this one.',
    parameters: Type.Object({}),
    answer: Type.Object({ applications: list(shownApplication, 'by number') }),
  }),

  getApplication: administrationOperation({
    about: 'Describes an application.',
    parameters: Type.Object({ application: optional(application) }),
    answer: one,
  }),

  createApplication: administrationOperation({
    method: 'POST',
    about: "Creates an application with one key, which this answer alone contains. Needs an administrator's key.",
    parameters: Type.Object({
      name,
      type: text('application type', { example: 'media-matching', enum: types }),
      ...settings,
      ignore_background: optional(
        flagOr('whether colours are taken from the object before a plain background only; cannot be changed later'),
      ),
    }),
    answer: Type.Object({
      application: shownApplication,
      secret: string('the key of the application, with all scopes'),
    }),
  }),

  setApplication: administrationOperation({
    method: 'POST',
    about:
      "Changes the name and the settings that are given. A new name needs an administrator's key. With the key of an application, profiles are those that ListProfiles lists.",
    parameters: Type.Object({
      application: optional(application),
      name: optional(name),
      enabled: optional(flagOr('whether its keys are accepted')),
      ...settings,
      profiles: optional(texts('names of the profiles of a Filter application', { example: 'adult' })),
    }),
    answer: one,
  }),

  emptyApplication: administrationOperation({
    method: 'POST',
    about:
      'Removes all pictures of an application at once. Name, settings, keys and verdicts stay; the application gets a new number.',
    parameters: Type.Object({ application: optional(application), confirm }),
    answer: Type.Object({
      removed: Type.Integer({ description: 'number of removed pictures' }),
      application: shownApplication,
    }),
  }),

  deleteApplication: administrationOperation({
    method: 'POST',
    about: "Deletes an application with its pictures and keys. Needs an administrator's key.",
    parameters: Type.Object({ application, confirm }),
    answer: Type.Object({ removed: Type.Integer({ description: 'number of removed pictures' }) }),
  }),
});
