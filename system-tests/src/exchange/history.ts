import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { typeDefinitions } from '@sosia/engine';
import { between, oneOf, randomFor, type Random } from '@sosia/testing/pictures/random';
import { sosia, startService, type Service } from '@sosia/testing/service/service';

export const flags = ['--search-workers', '1', '--decode-workers', '1', '--stop-grace', '0'];

/** A copy of a data folder, as a kill at this moment leaves it, or a clean stop. */
export interface Moment {
  readonly name: string;
  readonly folder: string;
  /** Of each key that was ever made: the ids of the pictures that it lists; null once it is revoked. */
  readonly pictures: ReadonlyMap<string, readonly string[] | null>;
}

interface Tenant {
  readonly name: string;
  /** By name. */
  keys: Map<string, string>;
  ids: string[];
}

const run = promisify(execFile);
const dna = typeDefinitions['media-matching'].describe(pattern(), 'reference');

/** Works on a new data folder through `sosia` and HTTP, and copies it after each step. */
export async function historyOf(name: string, folder: string, seed: string, steps: number): Promise<Moment[]> {
  const random = randomFor('exchange history', seed, name);
  const data = join(folder, name);
  const moments: Moment[] = [];
  const tenants: Tenant[] = [];
  const revoked: string[] = [];
  let made = 0;
  let service: Service | undefined;

  const command = async (...words: string[]): Promise<string> =>
    (await run(process.execPath, [sosia, ...words, '--data', data, '--json'])).stdout;
  const work = {
    async create() {
      const title = `${name}-${++made}`;
      const text = await command('app', 'create', '--type', 'media-matching', '--name', title);
      const { application_key: key } = JSON.parse(text) as { application_key: string };
      const tenant = { name: title, keys: new Map([['first', key]]), ids: [] };
      tenants.push(tenant);
      await add(tenant, 3);
    },
    async delete() {
      const tenant = oneOf(random, tenants);
      await command('app', 'delete', tenant.name, '--yes');
      revoked.push(...tenant.keys.values());
      tenants.splice(tenants.indexOf(tenant), 1);
    },
    async add() {
      await add(oneOf(random, tenants), Math.floor(between(random, 1, 8)));
    },
    async many() {
      await add(oneOf(random, tenants), 250);
    },
    async remove() {
      const tenant = oneOf(random, tenants);
      const [id] = tenant.ids.splice(0, 1);
      if (id !== undefined) await clientOf(tenant).delete(id);
    },
    /** A new key, and the end of all earlier ones. */
    async renew() {
      const tenant = oneOf(random, tenants);
      const old = [...tenant.keys];
      const key = `key-${++made}`;
      const text = await command('key', 'create', tenant.name, '--name', key, '--scopes', 'search,add,delete');
      const { key: secret } = JSON.parse(text) as { key: string };
      for (const [name] of old) await command('key', 'revoke', tenant.name, name);
      revoked.push(...old.map(([, key]) => key));
      tenant.keys = new Map([[key, secret]]);
    },
    async stop() {
      await service!.stop();
      copy('stop');
      service = await startService({ data, flags });
    },
    async kill() {
      await service!.kill();
      copy('kill');
      service = await startService({ data, flags });
    },
  };
  const clientOf = ({ keys }: Tenant) => service!.client([...keys.values()].at(-1)!);
  async function add(tenant: Tenant, count: number): Promise<void> {
    const ids = Array.from({ length: count }, (_, i) => `${tenant.name}-${++made}-${i}`);
    await Promise.all(ids.map((id) => clientOf(tenant).addDna(id, dna)));
    tenant.ids.push(...ids);
  }
  function copy(step: string): void {
    const copied = `${data}-${moments.length}`;
    service?.signal('SIGSTOP');
    cpSync(data, copied, { recursive: true });
    service?.signal('SIGCONT');
    const live = tenants.flatMap(({ keys, ids }) => [...keys.values()].map((key) => [key, [...ids].sort()] as const));
    const pictures = new Map<string, readonly string[] | null>([
      ...revoked.map((key) => [key, null] as const),
      ...live,
    ]);
    moments.push({ name: `${name} ${moments.length} after ${step}`, folder: copied, pictures });
  }

  service = await startService({ data, flags });
  try {
    await work.create();
    await work.create();
    copy('create');
    for (let i = 0; i < steps; i++) {
      const choices: (keyof typeof work)[] = [
        'create',
        'add',
        'add',
        'many',
        'remove',
        'renew',
        'renew',
        'stop',
        'kill',
      ];
      const step = oneOf(random, tenants.length > 2 ? [...choices, 'delete' as const] : choices);
      await work[step]();
      copy(step);
    }
    await work[oneOf(random, ['stop', 'kill'] as const)]();
  } finally {
    await service.kill();
  }
  return moments;
}

function pattern() {
  const random: Random = randomFor('exchange picture');
  const [width, height] = [64, 48];
  const rgb = Uint8Array.from({ length: width * height * 3 }, () => random() * 256);
  return { width, height, rgb, originalWidth: width, originalHeight: height };
}
