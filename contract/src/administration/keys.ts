import Type, { type Static } from '#typebox';
import { administrationOperation, named, scopes } from '../operation.ts';
import { integer } from '../parameters/integer.ts';
import { optional } from '../parameters/parameter.ts';
import { text, texts } from '../parameters/text.ts';
import { list, nullable, object, string } from '../schema.ts';
import { application } from './applications.ts';

const key = text('id or name of the key', { example: 'kiosk' });
const keyName = text('name of the key for people', { example: 'kiosk', maxLength: 100 });
const ofScopes = texts('what the key may do', { example: 'search', enum: scopes });
const expires = text('time at which the key ends, ISO 8601', { example: '2030-01-31', maxLength: 40 });
const time = (description: string) => nullable(Type.String(), description);

const shownKey = object('the key, without its secret', {
  id: string('names the key in operations'),
  name: string('for people'),
  hint: string('its first four characters'),
  scopes: list(Type.Enum([...scopes], { type: 'string' }), 'what it may do'),
  created: string('ISO 8601, UTC'),
  expires: time('ISO 8601, UTC; null for a key without an end'),
  last_use: time('ISO 8601, UTC; null before the first use. After a kill it may lack up to an hour'),
  replaces: nullable(Type.String(), 'id of the key that this one replaces, or null'),
});
export type ShownKey = Static<typeof shownKey>;

const secret = string('the key itself; no other answer contains it');
const whose = "Without `application`, an administrator's key means the keys of administrators.";

/** In the order of the documents. */
export const keyOperations = named({
  listKeys: administrationOperation({
    about: `Lists the keys of an application. ${whose}`,
    parameters: Type.Object({ application: optional(application) }),
    answer: Type.Object({ keys: list(shownKey, 'the oldest first') }),
  }),

  createKey: administrationOperation({
    method: 'POST',
    about: `Makes a key. ${whose} An administrator's key has the scope \`administer\` alone.`,
    parameters: Type.Object({
      application: optional(application),
      name: keyName,
      scopes: optional(ofScopes),
      expires: optional(expires),
    }),
    answer: Type.Object({ key: shownKey, secret }),
  }),

  setKey: administrationOperation({
    method: 'POST',
    about: `Changes the name, the scopes or the expiry of a key. With \`expires\` set to \`never\` it does not expire. ${whose}`,
    parameters: Type.Object({
      application: optional(application),
      key,
      name: optional(keyName),
      scopes: optional(ofScopes),
      expires: optional(expires),
    }),
    answer: Type.Object({ key: shownKey }),
  }),

  rotateKey: administrationOperation({
    method: 'POST',
    about: `Makes a key that replaces another one; both are valid for a grace period. ${whose}`,
    parameters: Type.Object({
      application: optional(application),
      key,
      grace: integer({ minimum: 0, maximum: 31_536_000 }, 86_400, 'seconds for which the old key stays valid'),
    }),
    answer: Type.Object({
      key: shownKey,
      secret,
      until: string('ISO 8601, UTC: when the old key expires'),
    }),
  }),

  revokeKey: administrationOperation({
    method: 'POST',
    about: `Ends a key at once. Sessions of the console that were opened with it end too. ${whose}`,
    parameters: Type.Object({ application: optional(application), key }),
    answer: Type.Object({ key: shownKey }),
  }),
});
