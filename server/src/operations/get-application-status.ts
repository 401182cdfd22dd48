import { integer, text } from '../params/schema.ts';
import { operation } from './operation.ts';

const state = text('`available`, or `read-only` while the disk is full and after a write that failed', {
  enum: ['available', 'read-only', 'closed'],
});

/** The MODIFY version tells whether pictures can be added. */
export const getModifyStatus = operation({
  name: 'GetApplicationStatus',
  families: ['enginemodify'],
  method: 'GET',
  about: 'Tells whether the reference database of the application can be read and written.',
  gives: { application_db_status: state, main_db_status: state },
  params: {},

  run(application) {
    return { application_db_status: application.state, main_db_status: application.state };
  },
});

/** The QUERY version counts the pictures. */
export const getQueryStatus = operation({
  name: 'GetApplicationStatus',
  families: ['enginequery'],
  method: 'GET',
  about: 'Counts the reference pictures of the application.',
  gives: { nb_loaded_images: integer('how many there are', { minimum: 0 }) },
  params: {},
  onFailure: { nb_loaded_images: 0 },

  run(application) {
    return { nb_loaded_images: application.count };
  },
});
