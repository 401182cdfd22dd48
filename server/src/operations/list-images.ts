import type { Contract, Work } from './operation.ts';
import { withoutReferences } from './operation.ts';
import { pageOf, restriction, wirePage } from './search.ts';

export const listImages: Work<Contract['listImages']> = {
  refuses: withoutReferences,
  async run(application, { after, ...query }) {
    return wirePage(await application.references.list(restriction(query), pageOf(application, query), after));
  },
};
