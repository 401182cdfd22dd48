import { operations } from '@sosia/contract';
import { operation } from './operation.ts';

export const getModifyStatus = operation(operations.getModifyStatus, {
  run(application) {
    const { state, damaged } = application;
    const status = { application_db_status: state, main_db_status: state };
    return damaged > 0 ? { ...status, nb_damaged_images: damaged } : status;
  },
});

export const getQueryStatus = operation(operations.getQueryStatus, {
  run(application) {
    return { nb_loaded_images: application.count };
  },
});
