import type { Contract, Work } from './operation.ts';
import { withoutColors } from './operation.ts';
import { shared } from './colors.ts';
import { searchOf, wirePage } from './search.ts';

export const searchImageByColors: Work<Contract['searchImageByColors']> = {
  refuses: withoutColors,
  async run(application, { colors, similarity, ...query }) {
    const dna = application.colors.asQuery(shared(colors));
    const found = await application.references.search(searchOf(application, dna, query));
    return wirePage(application, found, similarity === 1);
  },
};
