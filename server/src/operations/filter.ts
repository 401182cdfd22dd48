import type { Contract, Work } from './operation.ts';

export const filter: Work<Contract['filter']> = {
  refuses: (traits) => !traits.profiles && 'DOES_NOT_APPLY',
  async run(application, { query_image }) {
    return { scores: await application.classify(query_image) };
  },
};
