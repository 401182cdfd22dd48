import { fail } from '../errors.ts';
import type { Given } from './given.ts';
import type { Param } from './param.ts';
import { shown } from './param.ts';

/** The names under which bytes come. What is a file is told by these alone: clients leave out filename and type. */
export const fileNames: ReadonlySet<string> = new Set([
  'image_content',
  'dna',
  'reference_image',
  'ref_image',
  'query_image',
]);

const bytesOfAFile = { contentMediaType: 'application/octet-stream' };

/** The bytes of a picture file. `or` is another name that clients use for the same thing. */
export function file({ or }: { or?: string } = {}): Param<Uint8Array> {
  return {
    type: 'file',
    required: true,
    rule: or ? `a multipart part; \`${or}\` is taken as well` : 'a multipart part',
    schema: bytesOfAFile,
    example: '@picture.jpg',
    read(given, name) {
      const content = readFile(given, name, or);
      if (content) return content;
      throw fail('MISSING_PARAMETER', `expected ${or ? `${name} or ${or}` : name} as a multipart part with a picture`);
    },
  };
}

export function optionalFile(): Param<Uint8Array | undefined> {
  return {
    type: 'file',
    required: false,
    rule: 'a multipart part',
    schema: bytesOfAFile,
    example: '@picture.jpg',
    read: (given, name) => readFile(given, name),
  };
}

function readFile(given: Given, name: string, or = name): Uint8Array | undefined {
  const [first, ...more] = [...new Set([name, or])].map((each) => oneFile(given, each)).filter((each) => each);
  if (more.length > 0) throw fail('REPEATED_PARAMETER', `${name} and ${or}`);
  return first;
}

function oneFile(given: Given, name: string): Uint8Array | undefined {
  const text = given.text(name);
  if (text === undefined) return given.file(name);
  throw fail('BAD_PARAMETER', `${name}: expected a multipart part with the bytes of a picture, got ${shown(text)}`);
}
