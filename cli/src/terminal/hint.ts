import { errorCodes, SosiaError } from '@sosia/client';

/** What to do next about a failure; undefined where the message already says so. */
export function hintOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  if (cause instanceof SosiaError) return ofService[cause.code];
  if (cause.name === 'ConnectionError')
    return '`sosia serve` starts the service; --modify-url and --query-url give other addresses';
  const { error, code, port } = cause as { error?: string; code?: string; port?: number };
  if (code === 'EACCES' && port !== undefined)
    return 'ports below 1024 need rights of the system: use others with --modify-port and --query-port, and a proxy in front';
  if (code === 'EADDRNOTAVAIL') return '--host must be an address of this machine, such as 127.0.0.1 or 0.0.0.0';
  if (code === 'ENOSPC') return 'free space on the disk; nothing that was acknowledged is lost';
  return error === undefined ? undefined : ofFolder[error];
}

const ofService: Readonly<Record<number, string>> = {
  [errorCodes.UNKNOWN_APPLICATION]:
    '`sosia app list` shows the applications of a data folder with the beginnings of their keys; a lost key cannot be shown again',
  [errorCodes.OVERLOADED]: 'try again later, or with less in parallel',
  [errorCodes.STORE_READ_ONLY]: 'the log of the service has the reason; `sosia verify` checks the folder',
  [errorCodes.STORE_FULL]: 'free space on the disk of the data folder; then the same command goes on',
};

/** By the names in docs/errors.md. */
const ofFolder: Readonly<Record<string, string>> = {
  STORE_LOCKED: 'stop the other server, or give another folder with --data',
  STORE_UNAVAILABLE: 'give another folder with --data, which you may write',
  STORE_DAMAGED: '`sosia repair` writes what is sound into a new folder; if it fails, restore a backup',
  STORE_FORMAT: 'use the version of Sosia that wrote the folder, or another folder with --data',
};
