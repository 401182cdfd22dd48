import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Envelope } from '@sosia/contract/faults';
import { faultsOfAnswer } from '@sosia/contract/faults';
import type { ApplicationType } from '@sosia/engine';
import { samplesFolder } from '@sosia/fixtures';
import type { Family } from '@sosia/contract';
import { createApplication } from './applications/create.ts';
import { readConfig, type Sources } from './config.ts';
import { createLog, startServer } from './main.ts';
import type { RunningServer, ServerOptions } from './main.ts';
import { openApplicationStore } from './store/application-store.ts';
import type { ApplicationStore } from './store/application-store.ts';

/** The whole service on free ports, with its own data folder. */
export interface Service {
  readonly modifyPort: number;
  readonly queryPort: number;
  /** The applications as seen by another process. */
  readonly store: ApplicationStore;
  /** The administrator's key that the first start made. */
  readonly administratorKey: string;
  readonly data: string;
  /** Creates an application and returns its key. */
  application(type: ApplicationType, options?: { ignoreBackground?: boolean }): string;
  /** See `askServer`. */
  ask(family: Family, operation: string, values: Values): Promise<any>;
  administer(operation: string, values?: Values): Promise<any>;
  modify(operation: string, values: Values): Promise<any>;
  query(operation: string, values: Values): Promise<any>;
  /** Stops the service and removes its folder. */
  close(): Promise<void>;
}

export type Values = Record<string, string | number | Uint8Array | readonly string[]>;

/** A server on a folder. @param settings  those that differ from one worker of each kind on free ports */
export function startServerOn(
  data: string,
  settings: Sources['flags'] = {},
  options: ServerOptions = {},
): Promise<RunningServer> {
  const flags = { data, modify_port: '0', query_port: '0', search_workers: '1', decode_workers: '1', stop_grace: '0' };
  return startServer(readConfig({ flags: { ...flags, ...settings } }), createLog('silent'), options);
}

/** Sends a POST with a multipart body, and returns the answer's JSON, which must match the contract. */
export async function askServer(
  { modifyPort, queryPort }: Pick<RunningServer, 'modifyPort' | 'queryPort'>,
  family: Family,
  operation: string,
  values: Values,
): Promise<any> {
  const port = family === 'enginequery' ? queryPort : modifyPort;
  const url = `http://127.0.0.1:${port}/api/v2.0/${family}/json/${operation}`;
  const answer = (await (await fetch(url, { method: 'POST', body: formOf(values) })).json()) as Envelope;
  assert.deepEqual(faultsOfAnswer(family, operation, answer), [], JSON.stringify(answer));
  return answer;
}

/** @param settings  as for `startServerOn` */
export async function startService(options: ServerOptions = {}, settings: Sources['flags'] = {}): Promise<Service> {
  const data = await mkdtemp(join(tmpdir(), 'sosia-'));
  const server = await startServerOn(data, settings, options);
  const store = openApplicationStore(data);

  const ask = (family: Family, operation: string, values: Values): Promise<any> =>
    askServer(server, family, operation, values);

  return {
    modifyPort: server.modifyPort,
    queryPort: server.queryPort,
    store,
    application: (type, options) => createApplication(store, { type, name: type, ...options }).key,
    ask,
    administratorKey: server.administratorKey!,
    data,
    administer: (operation, values = {}) =>
      ask('administration', operation, { application_key: server.administratorKey!, ...values }),
    modify: (operation, values) => ask('enginemodify', operation, values),
    query: (operation, values) => ask('enginequery', operation, values),
    async close() {
      await server.close();
      store.close();
      await rm(data, { recursive: true });
    },
  };
}

/** The bytes of a sample photograph, 1 to 24. */
export function photograph(number: number): Promise<Buffer> {
  return readFile(join(samplesFolder, `kodim${String(number).padStart(2, '0')}.jpg`));
}

export function formOf(values: Values): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) {
    if (value instanceof Uint8Array) form.append(name, new Blob([Uint8Array.from(value)]));
    else if (Array.isArray(value)) value.forEach((each) => form.append(name, each));
    else form.append(name, String(value));
  }
  return form;
}
