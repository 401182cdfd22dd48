import Type from 'typebox';

/** Changes are made before the answer, so that no task is left to poll. */
export const taskId = Type.Literal(0, { type: 'integer', description: 'always 0' });
