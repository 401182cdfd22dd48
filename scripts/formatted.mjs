// The text of a file in the repository's format.
import { readFileSync } from 'node:fs';
import { format } from 'oxfmt';

const { ignorePatterns: _, ...options } = JSON.parse(
  readFileSync(new URL('../.oxfmtrc.json', import.meta.url), 'utf8'),
);

/** @param name  whose ending says the language */
export async function formatted(name, text) {
  const { code, errors } = await format(name, text, options);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  return code;
}
