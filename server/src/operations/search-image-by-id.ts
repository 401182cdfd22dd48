import type { Contract, Work } from './operation.ts';
import { withoutReferences } from './operation.ts';
import { search } from './search.ts';

export const searchImageById: Work<Contract['searchImageById']> = {
  refuses: (traits) => withoutReferences(traits) || (!traits.symmetric && 'ASYMMETRIC_DNA'),
  async run(application, { image_id, ...query }) {
    const dna = await application.references.dna(image_id);
    return search(application, dna, query, image_id);
  },
};
