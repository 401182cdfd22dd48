import { eventOperations } from './events.ts';
import { hashListOperations } from './hash-lists.ts';
import { ignoreListOperations } from './ignore-list.ts';
import { matchCountOperations } from './match-counts.ts';
import { groupOperations } from './review.ts';
import { savedSearchOperations } from './saved-searches.ts';
import { webhookOperations } from './webhooks.ts';

/** The review of one application: its duplicates, similar pictures, false matches, ignored pictures, saved searches and lists of hashes. In the order of the documentation. */
export const reviewOperations = {
  ...groupOperations,
  ...ignoreListOperations,
  ...matchCountOperations,
  ...savedSearchOperations,
  ...hashListOperations,
  ...eventOperations,
  ...webhookOperations,
};
