import Type from '#typebox';
import { modifyOperation, queryOperation } from '../operation.ts';
import { count, oneOf, optionalObject, share } from '../schema.ts';

const state = oneOf(
  ['available', 'read-only', 'closed'],
  '`available`; `read-only` while the disk is full, after a write that failed, where damage makes changes unsafe, and after `sosia move` to another place; or `closed` while the service ends',
);

const loading = optionalObject('progress of the start; absent once the pictures of the application are loaded', {
  loaded: count('pictures that are loaded'),
  pictures: count('pictures of the application, damaged ones included; 0 until the data folder is checked'),
  share: share('the first divided by the second'),
});

/** The MODIFY version reports whether pictures can be added. */
export const getModifyStatus = modifyOperation({
  name: 'GetApplicationStatus',
  scope: null,
  about: 'Reports whether the reference database of the application can be read and written.',
  parameters: Type.Object({}),
  answer: Type.Object({
    application_db_status: state,
    main_db_status: state,
    nb_damaged_images: Type.Optional(
      count('pictures of the application that are damaged and set aside; absent if there are none', 1),
    ),
    loading,
  }),
});

/** The QUERY version counts the pictures. */
export const getQueryStatus = queryOperation({
  name: 'GetApplicationStatus',
  scope: null,
  about: 'Counts the reference pictures of the application.',
  parameters: Type.Object({}),
  answer: Type.Object({
    nb_loaded_images: count('number of reference pictures'),
    loading,
  }),
  onFailure: { nb_loaded_images: 0 },
});
