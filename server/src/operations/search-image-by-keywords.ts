import type { Contract, Work } from './operation.ts';
import { withoutReferences } from './operation.ts';
import { pageOf, restriction, wirePage } from './search.ts';

export const searchImageByKeywords: Work<Contract['searchImageByKeywords']> = {
  refuses: withoutReferences,
  async run(application, query) {
    return wirePage(application, await application.references.list(restriction(query), pageOf(application, query)));
  },
};
