import { fail } from '../errors.ts';
import type { RawParameters } from './raw-parameters.ts';
import type { Reader } from './reader.ts';
import { shown } from './text.ts';

/** The names of byte parameters. They alone mark a part as a file: clients omit filename and type. */
export const fileNames: ReadonlySet<string> = new Set([
  'image_content',
  'dna',
  'reference_image',
  'ref_image',
  'query_image',
  'hashes',
]);

/** The bytes of a file: of a picture, unless it has no address. */
export const file: Reader<'file'> = {
  read(raw, name, { alias = name }) {
    const [first, ...more] = [...new Set([name, alias])].map((each) => oneFile(raw, each)).filter((each) => each);
    if (more.length > 0) throw fail('REPEATED_PARAMETER', `${name} and ${alias}`);
    return first;
  },
  expected: (name, { alias, address }) =>
    `${alias ? `${name} or ${alias}` : name} as a multipart part with ${address ? 'a picture' : 'a list'}`,
};

function oneFile(raw: RawParameters, name: string): Uint8Array | undefined {
  const text = raw.text(name);
  if (text === undefined) return raw.file(name);
  throw fail('BAD_PARAMETER', `${name}: expected a multipart part with the bytes of the file, got ${shown(text)}`);
}
