import { operations } from '@sosia/contract';
import { operation, withoutColors } from './operation.ts';
import { shared } from './colors.ts';
import { searchOf, wirePage } from './search.ts';

export const searchImageByColors = operation(operations.searchImageByColors, {
  refuses: withoutColors,
  async run(application, { colors, ...query }) {
    const dna = application.colors.asQuery(shared(colors));
    return wirePage(await application.references.search(searchOf(application, dna, query)));
  },
});
