/** Three prefixes, two names per family, an optional segment `json`, and repeated slashes: clients use all of these. */
const spelling =
  /^\/+(?:api\/+v2(?:\.0)?|v2)\/+(?:(?:engine|ltu)(modify|query)|(administration|review))\/+(?:json\/+)?([A-Za-z]+)\/*$/;

/** Names of operations that clients use beside the real ones. */
const aliases = new Map([['SearcImageByColors', 'SearchImageByColors']]); // the spelling of the published example

/**
 * The path of the route: for an operation that of the documentation, whatever its spelling; otherwise the path
 * unchanged.
 */
export function canonicalPath(target: string): string {
  const path = pathOf(target);
  const [, half, other, name] = spelling.exec(path) ?? [];
  if (name) return operationPath(other ?? `engine${half}`, aliases.get(name) ?? name);
  return isDecodable(path) ? path : '/';
}

export function operationPath(family: string, name: string): string {
  return `/api/v2.0/${family}/json/${name}`;
}

/** The path of a request target, which may be a whole address (requests through a proxy). */
export function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0];
  return path || '/';
}

/** The text after the first question mark, one byte per character as Node provides it. */
export function queryOf(target: string): Uint8Array {
  const mark = target.indexOf('?');
  return Buffer.from(mark < 0 ? '' : target.slice(mark + 1), 'latin1');
}

/** The router answers any other path by itself, without the envelope. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return path.startsWith('/');
  } catch {
    return false;
  }
}
