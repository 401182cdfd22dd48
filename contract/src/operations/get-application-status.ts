import Type from 'typebox';
import { operation } from '../operation.ts';

const state = Type.Enum(['available', 'read-only', 'closed'], {
  type: 'string',
  description:
    '`available`, or `read-only` while the disk is full, after a write that failed, and where damage makes changes unsafe',
});

/** The MODIFY version reports whether pictures can be added. */
export const getModifyStatus = operation({
  name: 'GetApplicationStatus',
  families: ['enginemodify'],
  method: 'GET',
  about: 'Reports whether the reference database of the application can be read and written.',
  parameters: Type.Object({}),
  answer: Type.Object({
    application_db_status: state,
    main_db_status: state,
    nb_damaged_images: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'pictures of the application that are damaged and set aside; absent if there are none',
      }),
    ),
  }),
});

/** The QUERY version counts the pictures. */
export const getQueryStatus = operation({
  name: 'GetApplicationStatus',
  families: ['enginequery'],
  method: 'GET',
  about: 'Counts the reference pictures of the application.',
  parameters: Type.Object({}),
  answer: Type.Object({
    nb_loaded_images: Type.Integer({ minimum: 0, description: 'number of reference pictures' }),
  }),
  onFailure: { nb_loaded_images: 0 },
});
