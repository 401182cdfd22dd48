import type { Static } from 'typebox';
import Type from 'typebox';
import { operation } from '../operation.ts';
import { integer } from '../parameters/integer.ts';
import { optional } from '../parameters/parameter.ts';
import { list } from '../schema.ts';
import { application } from './applications.ts';

export const auditEntry = Type.Object({
  at: Type.String({ description: 'ISO 8601, UTC' }),
  who: Type.String({ description: 'name of the key, or `command line` with the name of the user' }),
  what: Type.String({ description: 'the operation' }),
  application: Type.String({ description: 'name of the application; empty for the service as a whole' }),
  number: Type.Integer({ description: 'number of the application; 0 for the service as a whole' }),
  detail: Type.String({ description: 'what changed, without secrets' }),
});
export type AuditEntry = Static<typeof auditEntry>;

export const listAudit = operation({
  name: 'ListAudit',
  families: ['administration'],
  scope: 'administer',
  method: 'GET',
  about:
    'Lists changes, the latest first. Pictures that one key adds to one application within a minute are one entry with their number.',
  parameters: Type.Object({
    application: optional(application),
    starting_index: integer({ minimum: 0, maximum: 999_999_999 }, 0, 'entries before the page'),
    nb_results: integer({ minimum: 1, maximum: 1000 }, 100, 'length of the page'),
  }),
  answer: Type.Object({ entries: list(auditEntry, { description: 'the latest first' }) }),
});
