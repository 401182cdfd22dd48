import type { Page } from './images.ts';
import type { Answers } from './operations.generated.ts';
import { ask, type Connection } from './wire.ts';

/** An address that the service sends events to. */
export type Webhook = Answers['review']['ListWebhooks']['webhooks'][number];

const LARGEST_PAGE = 1000;

/** The webhooks of an application. They need a key with the scope `administer`. */
export class Webhooks {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Sends events to an address from now on, or changes the address of the webhook with this id.
   * @param after  id of the event behind which sending begins; 0 for all that are kept
   * @returns the secret that signs what is sent, which begins with `whsec_`
   */
  async add(id: string, url: string, { after }: { readonly after?: number } = {}): Promise<string> {
    return (await ask(this.#connection, 'review', 'AddWebhook', { webhook_id: id, url, after })).secret;
  }

  /** A page of them, by id. */
  async list({ start, count = LARGEST_PAGE }: Page = {}): Promise<Webhook[]> {
    const values = { starting_index: start, nb_results: count };
    return [...(await ask(this.#connection, 'review', 'ListWebhooks', values)).webhooks];
  }

  /** @returns a new secret; the previous one signs beside it for 24 hours */
  async rotate(id: string): Promise<string> {
    return (await ask(this.#connection, 'review', 'RotateWebhookSecret', { webhook_id: id })).secret;
  }

  /** Sends at once what a failing or dead one has not received. */
  async resume(id: string): Promise<Webhook> {
    return (await ask(this.#connection, 'review', 'ResumeWebhook', { webhook_id: id })).webhook;
  }

  async delete(id: string): Promise<void> {
    await ask(this.#connection, 'review', 'DeleteWebhook', { webhook_id: id });
  }
}
