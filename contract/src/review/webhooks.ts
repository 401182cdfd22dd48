import Type, { type Static } from '#typebox';
import { reviewOperation, named } from '../operation.ts';
import { imageIdFor, imageIdRule } from '../parameters/image-id.ts';
import { integerOr } from '../parameters/integer.ts';
import { optional } from '../parameters/parameter.ts';
import { text } from '../parameters/text.ts';
import { count, object, oneOf, pageOf, string } from '../schema.ts';
import { page } from './schemas.ts';

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

const secret = string('signs what is sent, as Standard Webhooks says; begins with `whsec_`');

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
    answer: Type.Object({ webhook, secret }),
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
    answer: Type.Object({ webhook, secret }),
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
