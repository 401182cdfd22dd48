import { operations } from '@sosia/contract';
import { operation, withoutReferences } from './operation.ts';
import { pageOf, restriction, wirePage } from './search.ts';

export const searchImageByKeywords = operation(operations.searchImageByKeywords, {
  refuses: withoutReferences,
  run(application, query) {
    return wirePage(application.list(restriction(query), pageOf(application, query)));
  },
});
