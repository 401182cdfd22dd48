/** Three prefixes, two names for a family, the segment `json` or not, and slashes too many: all of these are in use. */
const spelling = /^\/+(?:api\/+v2(?:\.0)?|v2)\/+(?:engine|ltu)(modify|query)\/+(?:json\/+)?([A-Za-z]+)\/*$/;

/** Names of operations that clients use beside the real ones. */
const aliases = new Map([['SearcImageByColors', 'SearchImageByColors']]); // the published example spells it so

/** The path that has the route: that of the documentation for every spelling of an operation, else the path as it came. */
export function canonicalPath(target: string): string {
  const path = pathOf(target);
  const [, half, name] = spelling.exec(path) ?? [];
  if (half && name) return operationPath(`engine${half}`, aliases.get(name) ?? name);
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

/** What follows the first question mark, one byte a character as Node hands it out. */
export function queryOf(target: string): Uint8Array {
  const mark = target.indexOf('?');
  return Buffer.from(mark < 0 ? '' : target.slice(mark + 1), 'latin1');
}

/** The router answers any other path on its own, and not with the envelope. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return path.startsWith('/');
  } catch {
    return false;
  }
}
