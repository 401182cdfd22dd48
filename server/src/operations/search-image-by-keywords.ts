import { operations } from '@sosia/contract';
import { operation, withoutReferences } from './operation.ts';
import { pageOf, restriction, wirePage } from './search.ts';

export const searchImageByKeywords = operation(operations.searchImageByKeywords, {
  refuses: withoutReferences,
  async run(application, query) {
    return wirePage(await application.references.list(restriction(query), pageOf(application, query)));
  },
});
