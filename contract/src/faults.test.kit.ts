import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from '#typebox';
import { Clean, Errors } from 'typebox/value';
import type { Family, Operation } from './index.ts';
import { administration, failed, operations, reviewOperations, resultInfo, succeeded } from './index.ts';

/**
 * What is wrong with a value: a missing field, a value of another type, and also a field that the schema does not name.
 * The last is no fault on the wire, where later versions may add fields, but it is one in this version.
 */
export function faultsOf(schema: TSchema, value: unknown): string[] {
  const faults = Errors(schema, value).map(({ instancePath, message }) => `${instancePath} ${message}`);
  const known = Clean(schema, structuredClone(value));
  return isDeepStrictEqual(known, value) ? faults : [...faults, 'a field that the schema does not name'];
}

/** The status and the fields of an answer, as JSON.parse gives them. */
export interface Envelope {
  readonly status: { readonly code: number };
  readonly [field: string]: unknown;
}

/** What is wrong with an answer to an operation, and with every result_info in the answer. */
export function faultsOfAnswer(family: Family, name: string, envelope: Envelope): string[] {
  const all: readonly Operation[] = [operations, administration, reviewOperations].flatMap((table) =>
    Object.values<Operation>(table),
  );
  const operation = all.find((each) => each.name === name && each.families.includes(family));
  if (!operation) return [];

  const { status, ...fields } = envelope;
  const infos = resultInfosIn(envelope).filter((text) => text !== '');
  return [
    ...(status.code === 0
      ? faultsOf(succeeded(operation.success, operation.answer), envelope)
      : [...faultsOf(failed([{ name, code: status.code, when: '' }]), { status }), ...otherFields(operation, fields)]),
    ...infos.flatMap((text) => faultsOf(resultInfo, JSON.parse(text))),
  ];
}

function otherFields({ onFailure }: Operation, fields: object): string[] {
  return isDeepStrictEqual(fields, onFailure) ? [] : [`expected ${JSON.stringify(onFailure)} beside the status`];
}

/** Every result_info in an answer, wherever it is. */
export function resultInfosIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'result_info' ? [String(inner)] : resultInfosIn(inner),
  );
}
