import { accessSync, constants, existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { ConnectionError, type Sosia } from '@sosia/client';
import { openApplicationStore, type Config } from '@sosia/server';
import { Decoder } from '@sosia/server/decode/decoder';
import { exposedIn } from '@sosia/server/store/folder';
import { inspectFolder } from '@sosia/server/store/inspection';
import { missingFrom } from '@sosia/server/workers/confinement/measures';
import { messageOf } from '../../terminal/message.ts';
import { counted } from '../../terminal/output.ts';

/** One finding. `wrong` prevents the service from working, `warning` does not. */
export interface Check {
  readonly what: string;
  readonly state: 'ok' | 'warning' | 'wrong';
  readonly detail: string;
  /** What to do next. */
  readonly remedy?: string;
}

function found(state: Check['state']) {
  return (what: string, detail: string, remedy?: string): Check => ({ what, state, detail, ...(remedy && { remedy }) });
}
export const [ok, warning, wrong] = [found('ok'), found('warning'), found('wrong')];

/** @param range  of the manifest, such as `>=20.19` */
export function checkNode(version: string, range: string): Check {
  const lowest = /\d+(?:\.\d+)?/.exec(range)![0];
  const what = 'Node';
  if (version.localeCompare(lowest, 'en', { numeric: true }) >= 0) return ok(what, version);
  const remedy = `install Node ${lowest} or later; this version may work, but nobody tests it`;
  return warning(what, `${version}, expected ${range}`, remedy);
}

const UNCONFINED =
  'docs/operating.md#confinement says where each measure is missing; run the service under its own user';

/** Starts a decoding child and describes a picture, which needs all native packages. */
export async function checkDecoding(picture: string, user: number): Promise<Check[]> {
  const what = 'decoding';
  let decoder: Decoder | undefined;
  try {
    decoder = await Decoder.start({ children: 1, user, waitLimit: 20_000, timeLimit: 20_000 });
    const dna = await decoder.describe(readFileSync(picture), 'media-matching', 'reference', 0, {});
    const missing = missingFrom(decoder.confinement);
    const confined =
      missing.length === 0
        ? ok('confinement', 'decoding children have no rights')
        : warning('confinement', `missing: ${missing.join(', ')}`, UNCONFINED);
    return [ok(what, `a sample has a DNA of ${dna.length} bytes`), confined];
  } catch (cause) {
    const remedy = 'install the package again on this machine: packages with native code are chosen for its system';
    return [wrong(what, messageOf(cause), remedy)];
  } finally {
    await decoder?.close();
  }
}

export function checkFolder(folder: string): Check[] {
  const what = 'data folder';
  const path = resolve(folder);
  if (!existsSync(path)) {
    const parent = dirname(path);
    if (existsSync(parent) && mayWrite(parent))
      return [ok(what, `${path} does not exist yet; \`sosia serve\` makes it`)];
    return [wrong(what, `${path} cannot be made in ${parent}`, 'give another folder with --data')];
  }
  try {
    const { format, faults, damages } = inspectFolder(path);
    const bad = [...faults, ...damages].map(({ file, what: why }) => `${file}: ${why}`);
    const remedy = '`sosia verify` checks every record, `sosia repair` writes what is sound into a new folder';
    if (bad.length > 0) return [wrong(what, `${path}: ${bad.join('; ')}`, remedy)];
    const [foreign] = format === 'none' ? readdirSync(path) : [];
    const other = 'give a new or empty folder with --data';
    if (foreign !== undefined) return [wrong(what, `${path} has other files, such as ${foreign}`, other)];
    if (format === 'none') return [ok(what, `${path} is empty; \`sosia serve\` fills it`)];
  } catch (cause) {
    return [wrong(what, messageOf(cause), 'give a data folder with --data')];
  }
  if (!mayWrite(path))
    return [wrong(what, `${path} may not be written by this user`, 'run as the user of the service')];
  const exposed = exposedIn(path);
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  return [
    ok(what, `${path}, ${applicationsIn(path)}`),
    ...(exposed.length > 0
      ? [warning('permissions', `other users may read ${exposed.length} files`, `chmod -R go= ${path}`)]
      : []),
    free < 1e9
      ? warning('disk', `${(free / 1e6).toFixed(0)} MB free`, 'free space: additions fail where the disk is full')
      : ok('disk', `${(free / 1e9).toFixed(0)} GB free`),
  ];
}

function applicationsIn(folder: string): string {
  const store = openApplicationStore(folder);
  try {
    return counted(store.list().length, 'application');
  } finally {
    store.close();
  }
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A port is free, or this service answers there. */
export async function checkPort(name: 'MODIFY' | 'QUERY', { host, modify_port, query_port }: Config): Promise<Check> {
  const port = name === 'MODIFY' ? modify_port : query_port;
  const what = `${name} port`;
  const flag = `--${name.toLowerCase()}-port`;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const fault = await openingFault(host, port);
  if (fault === undefined) return ok(what, `${port} of ${host} is free; no service runs there`);
  if (fault !== 'EADDRINUSE') {
    const remedy =
      fault === 'EACCES'
        ? `ports below 1024 need rights; use another with ${flag}`
        : '--host must be an address of this machine';
    return wrong(what, `${port} of ${host}: ${fault}`, remedy);
  }
  try {
    const { status } = (await (await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(3000) })).json()) as {
      status?: { code: number; message: string };
    };
    if (status?.code === 0) return ok(what, `a service is ready at ${address}`);
    if (typeof status?.code === 'number') return warning(what, `${address}: ${status.message}`, 'try again later');
  } catch {
    // another program
  }
  return wrong(what, `${port} of ${host} is used by another program`, `use another port with ${flag}`);
}

/** @returns the code of the system; undefined where the port can be opened */
function openingFault(host: string, port: number): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => done(code ?? 'unknown'));
    server.listen(port, host, () => server.close(() => done(undefined)));
  });
}

export async function checkKey(sosia: Sosia): Promise<Check> {
  const what = 'key';
  try {
    return ok(what, `valid, ${counted(await sosia.count(), 'picture')}`);
  } catch (cause) {
    const remedy =
      cause instanceof ConnectionError
        ? 'start the service, or give its ports with --query-port and --modify-port'
        : '`sosia app list` shows the applications of a data folder with the beginnings of their keys';
    return wrong(what, messageOf(cause), remedy);
  }
}
