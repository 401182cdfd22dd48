import { resolve } from 'node:path';
import type { Config } from '@sosia/server';
import { ownName } from '../terminal/own-name.ts';

/** The text for people with the administrator's key that a start has made. Nothing else shows it. */
export function firstKeyText(key: string, page: string, { data, cluster }: Config): string {
  const command = (verb: string): string =>
    `${ownName()} admin ${verb}${cluster === undefined ? ` --data ${shellWord(resolve(data))}` : ''}`;
  return `
The administrator's key, which is shown this once:

  ${key}

Sign in with it at ${page} to make applications and keys.
If it was missed, the first command makes another key and the second one ends this key${cluster === undefined ? '' : ', with the settings of the cluster'}:

  ${command('key')}
  ${command('revoke first')}
`.trimEnd();
}

/** As one word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
