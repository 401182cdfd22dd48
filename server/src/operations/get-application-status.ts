import { operations } from '@sosia/contract';
import { operation } from './operation.ts';

export const getModifyStatus = operation(operations.getModifyStatus, {
  run(application) {
    return { application_db_status: application.state, main_db_status: application.state };
  },
});

export const getQueryStatus = operation(operations.getQueryStatus, {
  run(application) {
    return { nb_loaded_images: application.count };
  },
});
