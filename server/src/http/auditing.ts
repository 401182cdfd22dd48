import type { Operation as Schema, Parameters } from '@sosia/contract';
import type { Subject } from '../administration/operation.ts';
import type { Application } from '../applications/application.ts';
import type { Caller } from '../applications/applications.ts';
import { isFailure, type Failure } from '../errors.ts';
import type { RawParameters } from '../parameters/raw-parameters.ts';
import type { HttpContext } from './context.ts';
import type { Request } from './request.ts';

/** Characters of each value in the audit log. */
const MAX_LOGGED_CHARACTERS = 200;

const SERVICE: Subject = { name: '', number: 0 };

/** Enters a change. Pictures are added too often for an entry each. */
export async function auditChange(
  { name, parameters, scope }: Schema,
  caller: Caller,
  raw: RawParameters,
  { audit }: HttpContext,
  { name: application, number }: Subject = SERVICE,
): Promise<void> {
  const detail = detailOf(parameters.properties, raw);
  const change = { ...authorOf(caller), what: name, code: 0, application, number, detail };
  if (scope === 'add') audit.collect(change);
  else await audit.note(change, scope === 'administer');
}

/**
 * Enters an attempt that was refused.
 * @param caller  of the key, if it is known
 */
export function auditRefusal(
  what: string,
  { code }: Failure,
  { audit }: HttpContext,
  { socket }: Request,
  caller?: Caller,
): void {
  const { name, number } = caller?.application ? subjectOf(caller.application) : SERVICE;
  audit.refuse({ ...authorOf(caller), what, code, application: name, number }, socket.remoteAddress ?? '');
}

/** Whether a failure refuses what the key may not do. */
export function refusesKey(cause: unknown): cause is Failure {
  return isFailure(cause, 'SCOPE_REFUSED', 'NOT_ADMINISTRATOR');
}

export function subjectOf({ name, record }: Application): Subject {
  return { name, number: record.number };
}

function authorOf(caller: Caller | undefined) {
  if (!caller) return { kind: 'no key', administrator: false, key: '', who: '' } as const;
  const { key, application, administrator = !application, inConsole } = caller;
  return { kind: inConsole ? 'console' : 'key', administrator, key: key.id, who: key.name } as const;
}

/** The texts of the parameters, without secrets. */
function detailOf(parameters: Parameters, raw: RawParameters): string {
  const given = Object.entries(parameters).flatMap(([name, { writeOnly }]) => {
    const texts = name === 'dna' || writeOnly ? [] : raw.texts(name);
    return texts.length > 0 ? [`${name}=${texts.join(',').slice(0, MAX_LOGGED_CHARACTERS)}`] : [];
  });
  return given.join(' ');
}
