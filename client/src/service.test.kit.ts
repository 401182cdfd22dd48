import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { samplesFolder } from '@sosia/fixtures';
import { createApplication, createLog, openApplicationStore, readConfig, startServer } from '@sosia/server';
import type { Connection } from './wire.ts';

type ApplicationType = Parameters<typeof createApplication>[1]['type'];

/** The whole service on free ports, with its own data folder. */
export interface Service {
  /** Creates an application and returns the connection to it. */
  application(type: ApplicationType, profiles?: readonly string[]): Connection;
  close(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const data = await mkdtemp(join(tmpdir(), 'sosia-'));
  const flags = { data, modify_port: '0', query_port: '0', search_workers: '1', decode_workers: '1', stop_grace: '0' };
  const server = await startServer(readConfig({ flags }), createLog('silent'));
  const store = openApplicationStore(data);
  return {
    application(type, profiles = []) {
      const { key } = createApplication(store, { type, name: type });
      store.update(store.list().at(-1)!.number, { profiles });
      const address = (port: number) => `http://127.0.0.1:${port}`;
      return { modify: address(server.modifyPort), query: address(server.queryPort), key };
    },
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

export async function collected<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
}
