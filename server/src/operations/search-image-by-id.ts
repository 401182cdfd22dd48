import type { Contract, Work } from './operation.ts';
import { withoutReferences } from './operation.ts';
import { search } from './search.ts';

export const searchImageById: Work<Contract['searchImageById']> = {
  refuses: (traits) => withoutReferences(traits) || (!traits.symmetric && 'ASYMMETRIC_DNA'),
  async run(application, { image_id, verdicts, ...query }) {
    const except = verdicts === 1 ? await application.apartFrom(image_id) : undefined;
    return search(application, await application.references.dna(image_id), query, except);
  },
};
