import { operations } from '@sosia/contract';
import { operation, withoutReferences } from './operation.ts';
import { pageOf, restriction, wirePage } from './search.ts';

export const listImages = operation(operations.listImages, {
  refuses: withoutReferences,
  async run(application, { after, ...query }) {
    return wirePage(await application.references.list(restriction(query), pageOf(application, query), after));
  },
});
