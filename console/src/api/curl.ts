import type { FormValue } from '@sosia/client/form';
import type { Request } from './call.ts';

/** The same request for a shell. The key is a placeholder, and a picture is the name of its file. */
export function curlOf({ family, operation, values }: Request, address: string): string {
  const present = Object.entries(values).filter(
    (each): each is [string, Exclude<FormValue, undefined>] => each[1] !== undefined,
  );
  const upload = present.some(([, value]) => value instanceof Blob || value instanceof Uint8Array);
  const option = upload ? '-F' : '--data-urlencode';
  const fields = present.flatMap(([name, value]) =>
    textsOf(value).map((text) => `${option} ${quoted(`${name}=${text}`)}`),
  );
  const head = `curl ${upload ? '' : '-G '}${address}/api/v2.0/${family}/json/${operation}`;
  return [head, `${option} application_key="$KEY"`, ...fields].join(' \\\n     ');
}

function textsOf(value: Exclude<FormValue, undefined>): string[] {
  if (value instanceof Blob || value instanceof Uint8Array)
    return [`@${value instanceof File ? value.name : 'picture'}`];
  return typeof value === 'object' ? [...value] : [String(value)];
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
