import type { Contract, Work } from './operation.ts';

export const getModifyStatus: Work<Contract['getModifyStatus']> = {
  async run({ references }) {
    const { state, damaged } = await references.status();
    const status = { application_db_status: state, main_db_status: state };
    return damaged > 0 ? { ...status, nb_damaged_images: damaged } : status;
  },
};

export const getQueryStatus: Work<Contract['getQueryStatus']> = {
  async run({ references }) {
    return { nb_loaded_images: await references.count() };
  },
};
