/** The message of any thrown value, for people. */
export function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, port, address, path } = cause as { code?: string; port?: number; address?: string; path?: string };
  if (code === 'EADDRINUSE')
    return `port ${port} of ${address} is taken; another one can be given with --modify-port or --query-port`;
  if (code === 'EACCES' && port !== undefined) return `port ${port} of ${address} may not be opened`;
  if (code === 'EADDRNOTAVAIL') return `${address} is no address of this machine`;
  if (code === 'ENOENT' && path !== undefined) return `there is no file or folder ${path}`;
  if (code === 'EISDIR') return `expected a file, got a folder${path === undefined ? '' : ` ${path}`}`;
  return cause.message;
}
