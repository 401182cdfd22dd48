import Type from 'typebox';

/** Changes are made before the answer, so that no task is left to ask about. */
export const taskId = Type.Literal(0, { type: 'integer', description: 'always 0' });
