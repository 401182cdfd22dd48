import Type, { type Static } from '#typebox';
import { administrationOperation, named } from '../operation.ts';
import { pageParameters } from '../parameters/integer.ts';
import { optional } from '../parameters/parameter.ts';
import { list, oneOf, string } from '../schema.ts';
import { application } from './applications.ts';

export const auditEntry = Type.Object({
  at: string('ISO 8601, UTC'),
  kind: oneOf(
    ['key', 'console', 'command line', 'no key'],
    'how the change was requested: by a key, in a session of the console, by a command beside the service, or without a valid key',
  ),
  administrator: Type.Boolean({ description: 'whether the key is one of an administrator; true for the command line' }),
  key: string('id of the key, assigned by the service; empty without a key'),
  who: string('name of the key, which its owner chooses, or of the user of the command line'),
  what: string('the operation'),
  code: Type.Integer({ description: '0 for a change, otherwise the code with which an attempt was refused' }),
  application: string('name of the application; empty for the service as a whole'),
  number: Type.Integer({ description: 'number of the application; 0 for the service as a whole' }),
  detail: string('what changed, without secrets'),
});
export type AuditEntry = Static<typeof auditEntry>;

/** In the order of the documents. */
export const auditOperations = named({
  listAudit: administrationOperation({
    about:
      'Lists changes and refused attempts, the latest first. Pictures that one key adds to one application within a minute are one entry with their number, and so are refused attempts of one address and key. The key of an application sees the entries of this application, without the names of administrators.',
    parameters: Type.Object({
      application: optional(application),
      ...pageParameters('entries', 100),
    }),
    answer: Type.Object({ entries: list(auditEntry, 'the latest first') }),
  }),
});
