import { operations } from '@sosia/contract';
import { operation, withoutColors } from './operation.ts';
import { shared } from './colors.ts';
import { pageOf, restriction, wirePage } from './search.ts';

export const searchImageByColors = operation(operations.searchImageByColors, {
  refuses: withoutColors,
  async run(application, { colors, ...query }) {
    const page = pageOf(application, query);
    return wirePage(await application.searchColors(shared(colors), restriction(query), page));
  },
});
