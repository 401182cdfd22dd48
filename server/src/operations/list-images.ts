import { fail } from '../errors.ts';
import type { Contract, Work } from './operation.ts';
import { withoutReferences } from './operation.ts';
import { pageOf, restriction, wirePage } from './search.ts';

export const listImages: Work<Contract['listImages']> = {
  refuses: withoutReferences,
  async run(application, { after, order, ...query }) {
    const { references } = application;
    const [selection, page] = [restriction(query), pageOf(application, query)];
    if (order !== 'latest') return wirePage(application, await references.list(selection, page, after));
    if (after !== undefined) throw fail('BAD_PARAMETER', 'after is for the order of ids');
    return wirePage(application, await references.latest(selection, page));
  },
};
