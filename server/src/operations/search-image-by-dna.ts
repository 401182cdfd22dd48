import { operations } from '@sosia/contract';
import { operation, withoutReferences } from './operation.ts';
import { search } from './search.ts';

export const searchImageByDna = operation(operations.searchImageByDna, {
  refuses: withoutReferences,
  run(application, { dna, ...query }) {
    return search(application, application.checkedDna(dna, 'query'), query);
  },
});
