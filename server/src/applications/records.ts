import type { RecordChange, StoredRecord } from '../store/store.ts';
import type { Application } from './application.ts';

/** The number under which the records of an application are stored. They stay where it is emptied. */
export function recordsNumber({ record: { number, origin = number } }: Pick<Application, 'record'>): number {
  return origin;
}

export function bodyOf(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function valueOf<T>({ body }: StoredRecord): T {
  return valueIn(body);
}

export function valueIn<T>(body: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(body)) as T;
}

export function put(kind: string, id: string, value: object): RecordChange {
  return { kind, id, body: bodyOf(value) };
}

export function remove(kind: string, id: string): RecordChange {
  return { kind, id, body: null };
}
