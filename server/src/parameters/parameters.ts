import type { Form, Forms, Parameter, Parameters, Values } from '@sosia/contract';
import { addressOf, alternativeOf, isRequired } from '@sosia/contract';
import { fail } from '../errors.ts';
import { bytes } from './bytes.ts';
import { colors } from './colors.ts';
import { file } from './file.ts';
import type { RawParameters } from './raw-parameters.ts';
import { imageId, imageIds } from './image-id.ts';
import { integer } from './integer.ts';
import { keywords } from './keywords.ts';
import { conditions, metadata } from './metadata.ts';
import type { Reader } from './reader.ts';
import { decimal, text, texts } from './words.ts';

/** One reader for each form of parameter in the contract. */
const readers: { readonly [F in Form]: Reader<F> } = {
  file,
  bytes,
  integer,
  decimal,
  text,
  texts,
  'image id': imageId,
  'image ids': imageIds,
  keywords,
  colors,
  metadata,
  conditions,
};

/**
 * The checked values of parameters, with their defaults. Fails with MISSING_PARAMETER, with REPEATED_PARAMETER for a file and
 * what was sent in its place, with NOT_A_PICTURE for an empty file without other bytes, or as the readers do.
 */
export function readAll<P extends Parameters>(parameters: P, raw: RawParameters): Values<P> {
  const values = Object.entries(parameters).flatMap(([name, parameter]) => {
    const value = readOne(parameter.form, name, parameter, raw);
    return value === undefined ? [] : [[name, value]];
  });
  const given = values.some(([, value]) => value instanceof Uint8Array);
  for (const [name, parameter] of Object.entries(parameters)) if (!given) refuseEmpty(name, parameter, raw);
  return Object.fromEntries(values) as Values<P>;
}

function refuseEmpty(name: string, parameter: Parameter, raw: RawParameters): void {
  if (parameter.form !== 'file' || !addressOf(parameter)) return;
  const { alias = name } = parameter as Parameter<'file'>;
  const empty = [name, alias].find((each) => raw.hasEmptyFile(each));
  if (empty) throw fail('NOT_A_PICTURE', `${empty} is an empty file`);
}

function readOne<F extends Form>(
  form: F,
  name: string,
  parameter: Parameter<F>,
  raw: RawParameters,
): Forms[F] | undefined {
  const reader: Reader<F> = readers[form];
  const value = reader.read(raw, name, parameter) ?? (parameter['default'] as Forms[F] | undefined);
  const alternative = alternativeOf(parameter);
  const replaced = alternative !== undefined && raw.text(alternative) !== undefined;
  if (value !== undefined && replaced) throw fail('REPEATED_PARAMETER', `${name} and ${alternative}`);
  if (value !== undefined || replaced || !(isRequired(parameter) || alternative)) return value;
  refuseEmpty(name, parameter, raw);
  throw fail('MISSING_PARAMETER', `expected ${reader.expected(name, parameter)}`);
}
