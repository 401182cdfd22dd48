import { strictText } from '../parameters/text.ts';

const LINE_END = '\r\n';
/**
 * `; name=value`, with the value optionally in quotation marks. Each alternative consumes what it starts with, so no
 * input is read twice.
 */
const parameter = /;([^=;]*)(?:=[ \t]*(?:"((?:[^"\\]|\\[^])*)"?[^;]*|([^;]*)))?/gy;

/**
 * The name in the headers of a multipart part (RFC 7578, section 4.2), quoted or not, in UTF-8. Undefined without a
 * name. Fails with BAD_TEXT for a name that is not UTF-8.
 */
export function partName(headers: Buffer): string | undefined {
  const disposition = headerOf(headers.toString('latin1'), 'content-disposition');
  const [, parameters = ''] = /^form-data[ \t]*(;[^]*)?$/i.exec(disposition ?? '') ?? [];

  let name: string | undefined;
  for (const [, key, quoted, plain] of parameters.matchAll(parameter) as Iterable<(string | undefined)[]>) {
    if (key!.trim().toLowerCase() !== 'name') continue;
    name = quoted?.replace(/\\(["\\])/g, '$1') ?? plain?.replace(/[ \t]/g, '');
  }
  return name && strictText(Buffer.from(name, 'latin1'), 'the name of a part');
}

/** The first value of a header. Reading stops at a line that is no header. */
function headerOf(headers: string, name: string): string | undefined {
  const unfolded = headers.replace(/\r\n(?=[ \t]+[^ \t\r\n])/g, '');
  for (const line of unfolded.split(LINE_END)) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    if (colon <= 0 || /[\r\n]/.test(line)) return undefined;
    if (line.slice(0, colon).toLowerCase() === name) return line.slice(colon + 1).trim();
  }
  return undefined;
}
