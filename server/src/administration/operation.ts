import type { administration } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import type { Applications, Caller } from '../applications/applications.ts';
import { fail } from '../errors.ts';
import type { WorkOn } from '../parameters/work.ts';
import type { Events } from '../events/events.ts';
import type { Sources } from '../sources/sources.ts';
import type { SharedStore } from '../store/store.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { Training } from './training.ts';

/** The schemas of the operations of administration. */
export type AdministrationContract = typeof administration;

/** What the operations work on. */
export interface Administered {
  readonly store: SharedStore;
  readonly applications: Applications;
  readonly audit: AuditTrail;
  readonly training: Training;
  readonly sources: Sources;
  readonly events: Pick<Events, 'latest'>;
}

/** The application that a request is about; undefined for the service as a whole. */
export interface Subject {
  readonly name: string;
  readonly number: number;
}

/** What an operation does. The compiler compares the parameters and the answer with the contract. */
export type AdministrationWork<Name extends keyof AdministrationContract> = WorkOn<Task, AdministrationContract[Name]>;

/** One request of administration. */
export interface Task extends Administered {
  readonly caller: Caller;
  /** The application that the audit log names. */
  subject?: Subject | undefined;
}

/**
 * The application that a request names; that of the key where the request names none. Fails with NO_SUCH_APPLICATION,
 * NOT_ADMINISTRATOR or MISSING_PARAMETER.
 */
export function applicationOf(task: Task, selector: string | undefined): Application {
  const application = applicationOrNone(task, selector);
  if (!application) throw fail('MISSING_PARAMETER', 'expected application, its name or its number');
  return application;
}

/** As `applicationOf`; undefined where an administrator's request names none. */
export function applicationOrNone(task: Task, selector: string | undefined): Application | undefined {
  const application = selector === undefined ? task.caller.application : named(task, selector);
  task.subject = application && { name: application.name, number: application.record.number };
  return application;
}

function named({ caller, applications }: Task, selector: string): Application {
  const all = caller.application ? [caller.application] : applications.all();
  const byName = all.filter(({ name }) => name === selector);
  if (byName.length > 1) {
    const numbers = byName.map(({ record }) => record.number).join(', ');
    throw fail('NO_SUCH_APPLICATION', `several are called ${selector}; give one of the numbers ${numbers}`);
  }
  const found = byName[0] ?? all.find(({ record }) => String(record.number) === selector);
  if (found) return found;
  throw caller.application
    ? fail('NOT_ADMINISTRATOR', 'the key is for another application')
    : fail('NO_SUCH_APPLICATION', selector);
}
