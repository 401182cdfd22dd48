import type { Operation as Schema } from '@sosia/contract';
import type { Subject, Task } from '../administration/operation.ts';
import { administration } from '../administration/operations.ts';
import type { Application } from '../applications/application.ts';
import type { Caller } from '../applications/applications.ts';
import { operations } from '../operations/operations.ts';
import type { RawParameters } from '../parameters/raw-parameters.ts';
import { review } from '../review/operations.ts';
import { subjectOf } from './auditing.ts';
import type { HttpContext } from './context.ts';

/** An operation as a request runs it, whatever the folder of its work. */
export interface Run extends Schema {
  /** Whether it works on the application of the key; otherwise on the service, or on an application that it names. */
  readonly ofApplication: boolean;
  /** Fails with a `Failure`. */
  run(caller: Caller, raw: RawParameters): Promise<{ readonly fields: object; readonly subject?: Subject | undefined }>;
}

/** All operations that the service has. */
export function allOperations({ reviews, administered }: Pick<HttpContext, 'reviews' | 'administered'>): Run[] {
  return [
    ...operations.map((each) => ofApplication(each, (application, raw) => each.run(application, raw))),
    ...(reviews
      ? review.map((each) =>
          ofApplication(each, (application, raw, key) => each.run({ application, key, reviews }, raw)),
        )
      : []),
    ...(administered
      ? administration.map((each) => ({
          ...each,
          ofApplication: false,
          async run(caller: Caller, raw: RawParameters) {
            const task: Task = { ...administered, caller };
            return { fields: await each.run(task, raw), subject: task.subject };
          },
        }))
      : []),
  ];
}

function ofApplication(
  schema: Schema,
  run: (application: Application, raw: RawParameters, key: Caller['key']) => Promise<object>,
): Run {
  return {
    ...schema,
    ofApplication: true,
    async run({ application, key, administrator }, raw) {
      const shownKey = administrator ? { ...key, name: 'administrator' } : key; // its name is not for customers
      return { fields: await run(application!, raw, shownKey), subject: subjectOf(application!) };
    },
  };
}
