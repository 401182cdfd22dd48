import type { Contract, Work } from './operation.ts';
import { withoutReferences } from './operation.ts';
import { search } from './search.ts';

export const searchImageByDna: Work<Contract['searchImageByDna']> = {
  refuses: withoutReferences,
  run(application, { dna, ...query }) {
    return search(application, application.checkedDna(dna, 'query'), query);
  },
};
