import Type, { type Static } from '#typebox';
import { administrationOperation, named } from '../operation.ts';
import { imageUrl, picture } from '../parameters/bytes.ts';
import { flagOr } from '../parameters/integer.ts';
import { text } from '../parameters/text.ts';
import { count, list, nullable, object, oneOf, share, string } from '../schema.ts';

const origins = ['shipped', 'trained', 'imported', 'network', 'embedding', 'collected'] as const;
const states = ['ready', 'collecting', 'training', 'failed'] as const;

const shownProfile = object('a profile, or examples on the way to one', {
  name: string('in the answers of Filter'),
  origin: oneOf(
    origins,
    '`embedding` describes the pictures of an application; `collected` has examples, and is no profile yet',
  ),
  state: oneOf(states, 'only `ready` is a profile'),
  balanced_accuracy: nullable(Type.Number(), 'of the cross-validation, 0 to 1; null without a report'),
  positives: count('collected examples that fit'),
  negatives: count('collected examples that do not'),
  fault: string('why the training failed, or empty'),
});
export type ShownProfile = Static<typeof shownProfile>;

const report = object('each picture was scored by a model that has not learned from it', {
  positives: count('pictures that fit'),
  negatives: count('pictures that do not'),
  balanced_accuracy: share('mean of the shares of both classes that are classified correctly'),
  area: share('area under the curve'),
  nb_mistakes: count('pictures that were classified wrongly'),
  by_threshold: list(
    Type.Object({
      threshold: Type.Number({ description: 'of the score' }),
      precision: share('of the pictures with a higher score, those that fit'),
      recall: share('of the pictures that fit, those with a higher score'),
    }),
    'the choice of a threshold',
  ),
});

const profile = text('name of the profile', { example: 'receipts', maxLength: 64 });
const one = Type.Object({ profile: shownProfile });

/** In the order of the documents. */
export const profileOperations = named({
  listProfiles: administrationOperation({
    about:
      'Lists the profiles for Filter applications, and names whose examples are being collected. With the key of an application, the shipped profiles and those that an administrator has given to the application.',
    parameters: Type.Object({}),
    answer: Type.Object({ profiles: list(shownProfile, 'shipped ones first') }),
  }),

  getProfile: administrationOperation({
    about:
      "Describes a profile, with the figures of its cross-validation and a sheet of its worst mistakes. The sheet shows training pictures, and needs an administrator's key.",
    parameters: Type.Object({ profile }),
    answer: Type.Object({
      profile: shownProfile,
      report: nullable(report, 'of a trained profile'),
      mistakes: string(
        'a JPEG in base64 or empty: orange around pictures that fit and were missed, blue around those that do not fit',
      ),
    }),
  }),

  addExample: administrationOperation({
    scope: 'add',
    method: 'POST',
    about:
      "Adds a picture to the examples of a new profile. They are in the memory of the service until TrainProfile or DeleteProfile, at most 600 for a profile. Needs an administrator's key.",
    parameters: Type.Object({
      profile,
      fits: flagOr('whether the picture fits the profile'),
      image_content: picture,
      image_url: imageUrl,
    }),
    answer: one,
  }),

  trainProfile: administrationOperation({
    method: 'POST',
    about:
      "Trains a profile from its examples, at least 10 that fit and 10 that do not, in the background; GetProfile reports the end. Needs an administrator's key.",
    parameters: Type.Object({ profile }),
    answer: one,
  }),

  deleteProfile: administrationOperation({
    method: 'POST',
    about: "Deletes a profile, or the examples collected for it. Needs an administrator's key.",
    parameters: Type.Object({ profile }),
    answer: one,
  }),
});
