import { operations } from '@sosia/contract';
import { operation } from './operation.ts';

export const filter = operation(operations.filter, {
  refuses: (traits) => !traits.profiles && 'DOES_NOT_APPLY',
  async run(application, { query_image }) {
    return { scores: await application.classify(query_image) };
  },
});
