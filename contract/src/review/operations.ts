import { eventOperations, savedSearchOperations, webhookOperations } from './events.ts';
import { hashListOperations } from './hash-lists.ts';
import { ignoreListOperations, matchCountOperations, groupOperations } from './review.ts';

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
