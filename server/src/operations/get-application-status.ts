import { shareOf, type References } from '../applications/references.ts';
import type { Contract, Work } from './operation.ts';

export const getModifyStatus: Work<Contract['getModifyStatus']> = {
  whileLoading: true,
  async run(application) {
    const { references } = application;
    const { damaged } = references;
    const state = await application.status();
    const status = { application_db_status: state, main_db_status: state };
    return { ...status, ...(damaged > 0 && { nb_damaged_images: damaged }), ...progressOf(references) };
  },
};

export const getQueryStatus: Work<Contract['getQueryStatus']> = {
  whileLoading: true,
  async run({ references }) {
    return { nb_loaded_images: await references.count(), ...progressOf(references) };
  },
};

function progressOf({ loading }: References) {
  return loading && { loading: { ...loading, share: shareOf(loading) } };
}
