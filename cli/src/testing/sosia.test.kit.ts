import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ApplicationType } from '@sosia/engine';
import { samplesFolder } from '@sosia/fixtures';
import type { ServerOptions } from '@sosia/server';
import { createApplication, createLog, openApplicationStore, readConfig, startServer } from '@sosia/server';

const bin = fileURLToPath(new URL('../../bin/sosia.js', import.meta.url));

/** A service in this process, and the real `sosia` run beside it. */
export interface Beside {
  /** A scratch folder, in which `sosia` is run. */
  readonly home: string;
  /** The data folder of the service. */
  readonly data: string;
  /** What leads `sosia` to the service. */
  readonly environment: { readonly SOSIA_MODIFY_URL: string; readonly SOSIA_QUERY_URL: string };
  /** Makes an application and gives its key. */
  application(type?: ApplicationType): string;
  /** Runs `sosia` to its end. */
  sosia(key: string, ...words: string[]): Promise<Ended>;
  /** Starts it, with both outputs piped. */
  start(key: string, ...words: string[]): ChildProcess;
  close(): Promise<void>;
}

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** @param hosts  the setting `fetch_hosts` */
export async function startBeside(hosts = 'off', options: ServerOptions = {}): Promise<Beside> {
  const home = mkdtempSync(join(tmpdir(), 'sosia-cli-'));
  const data = join(home, 'data');
  const ports = { modify_port: '0', query_port: '0', stop_grace: '0' };
  const workers = { search_workers: '1', decode_workers: '1' };
  const flags = { data, ...ports, ...workers, fetch_hosts: hosts, source_folders: home, source_buckets: '*' };
  const server = await startServer(readConfig({ flags }), createLog('silent'), options);
  const store = openApplicationStore(data);
  const environment = {
    SOSIA_MODIFY_URL: `http://127.0.0.1:${server.modifyPort}`,
    SOSIA_QUERY_URL: `http://127.0.0.1:${server.queryPort}`,
  };
  const start = (key: string, ...words: string[]) =>
    spawn(process.execPath, [bin, ...words], {
      cwd: home,
      env: { PATH: process.env['PATH'], ...environment, SOSIA_KEY: key },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return {
    home,
    data,
    environment,
    start,
    application: (type = 'media-matching') => createApplication(store, { type, name: type }).key,
    async sosia(key, ...words) {
      const child = start(key, ...words);
      const [[code], out, err] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
      return { code: code as number, out, err };
    },
    async close() {
      await server.close();
      store.close();
      rmSync(home, { recursive: true });
    },
  };
}

/** The path of a sample photograph, 1 to 24. */
export function photograph(number: number): string {
  return join(samplesFolder, `kodim${String(number).padStart(2, '0')}.jpg`);
}

/** The values of JSON lines. */
export function parsed(lines: string): any[] {
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
