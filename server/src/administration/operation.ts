import type { Fields, Operation as Schema, administration, Values } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import type { Applications, Caller } from '../applications/applications.ts';
import { fail } from '../errors.ts';
import type { RawParameters } from '../parameters/raw-parameters.ts';
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
}

/** The application that a request is about; undefined for the service as a whole. */
export interface Subject {
  readonly name: string;
  readonly number: number;
}

export interface AdministrationOperation extends Schema {
  /** Checks the parameters and does the work. Fails with a `Failure`. */
  run(
    caller: Caller,
    raw: RawParameters,
    administered: Administered,
  ): Promise<{ fields: object; subject: Subject | undefined }>;
}

/** What an operation does. The compiler compares the parameters and the answer with the contract. */
export type AdministrationWork<
  Name extends keyof AdministrationContract,
  O extends Schema = AdministrationContract[Name],
> = (task: Task, values: Values<O['parameters']['properties']>) => Fields<O> | Promise<Fields<O>>;

/** One request of administration. */
export class Task implements Administered {
  readonly caller: Caller;
  readonly store: SharedStore;
  readonly applications: Applications;
  readonly audit: AuditTrail;
  readonly training: Training;
  readonly sources: Sources;
  /** The application that the audit log names. */
  subject: Subject | undefined;

  constructor(caller: Caller, { store, applications, audit, training, sources }: Administered) {
    this.caller = caller;
    this.store = store;
    this.applications = applications;
    this.audit = audit;
    this.training = training;
    this.sources = sources;
  }

  /**
   * The application that a request names; that of the key where the request names none. Fails with NO_SUCH_APPLICATION,
   * NOT_ADMINISTRATOR or MISSING_PARAMETER.
   */
  application(selector: string | undefined): Application {
    const application = this.applicationOrNone(selector);
    if (!application) throw fail('MISSING_PARAMETER', 'expected application, its name or its number');
    return application;
  }

  /** As `application`; undefined where an administrator's request names none. */
  applicationOrNone(selector: string | undefined): Application | undefined {
    const application = selector === undefined ? this.caller.application : this.#named(selector);
    this.subject = application && { name: application.name, number: application.record.number };
    return application;
  }

  #named(selector: string): Application {
    const all = this.caller.application ? [this.caller.application] : this.applications.all();
    const byName = all.filter(({ name }) => name === selector);
    if (byName.length > 1) {
      const numbers = byName.map(({ record }) => record.number).join(', ');
      throw fail('NO_SUCH_APPLICATION', `several are called ${selector}; give one of the numbers ${numbers}`);
    }
    const found = byName[0] ?? all.find(({ record }) => String(record.number) === selector);
    if (found) return found;
    throw this.caller.application
      ? fail('NOT_ADMINISTRATOR', 'the key is for another application')
      : fail('NO_SUCH_APPLICATION', selector);
  }
}
