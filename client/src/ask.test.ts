import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openapiDocument } from '@sosia/server/docs/openapi';
import { Sosia } from './sosia.ts';

interface Server {
  readonly variables: { readonly port: { readonly default: string } };
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly servers: readonly [Server] }>>;
}

const document = openapiDocument({ modifyPort: 1, queryPort: 2 }) as Document;
const sosia = new Sosia({ modify: 'http://127.0.0.1:1', query: 'http://127.0.0.1:2', key: 'k' });
const realFetch = globalThis.fetch;
let requested: URL;
before(() => {
  globalThis.fetch = async (address) => {
    requested = new URL(address as string);
    return Response.json({ status: { code: 0, message: '' } });
  };
});
after(() => (globalThis.fetch = realFetch));

/** `ask` with names that are known only when it runs. */
const ask = sosia.ask.bind(sosia) as (family: string, operation: string, values: object) => Promise<unknown>;

test('`ask` sends each operation of the OpenAPI description to its path and port', async () => {
  const paths = Object.entries(document.paths);
  assert.ok(paths.length > 40, `only ${paths.length} paths found`);
  for (const [path, { servers }] of paths) {
    const [family, , operation] = path.split('/').slice(-3) as [string, string, string];
    await ask(family.replace('engine', ''), operation, {});
    assert.equal(requested.pathname, path);
    assert.equal(requested.port, servers[0].variables.port.default, path);
  }
});
