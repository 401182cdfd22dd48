import { administration, operations, reviewOperations, type Operation } from '@sosia/contract';
import { nearest } from '../parameters/nearest.ts';
import type { RawParameters } from '../parameters/raw-parameters.ts';
import { shown } from '../parameters/text.ts';

/** In one answer. */
const MAX_LISTED = 10;

/** Names of any operation, since some clients send the same parameters to all. */
const known = new Set(['application_key']);
const all: readonly Operation[] = [operations, administration, reviewOperations].flatMap((table) =>
  Object.values<Operation>(table),
);
for (const { parameters } of all) {
  for (const name of Object.keys(parameters.properties)) known.add(name);
}

/** A warning for each parameter that no operation has. */
export function warningsOn(raw: RawParameters, { parameters }: Operation): string[] {
  const unknown = raw.names().filter((name) => !known.has(name));
  return unknown.slice(0, MAX_LISTED).map((name) => {
    const meant = nearest(name, Object.keys(parameters.properties));
    const plain = /^\w{1,64}$/.test(name) ? name : shown(name);
    return `unknown parameter ${plain} is ignored${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  });
}
