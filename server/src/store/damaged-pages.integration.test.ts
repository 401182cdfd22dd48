import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { EMBEDDING_LENGTH, networkSpecOf } from '@sosia/engine';
import { Failure } from '../errors.ts';
import { openApplicationStore } from './application-store.ts';
import { openImageStore } from './image-store.ts';
import type { ApplicationRecord, Damage } from './store.ts';
import { verify } from './verify.ts';

const PAGE = 4096;
const folder = mkdtempSync(join(tmpdir(), 'sosia-pages-'));
after(() => rmSync(folder, { recursive: true }));

const application = (name: string): Omit<ApplicationRecord, 'number'> => ({
  keys: [],
  type: 'media-matching',
  name: `application ${name}`,
  enabled: true,
  defaults: { nbResults: 10, colorWeight: 50, retrievalThreshold: 1 },
});

test('any page of the applications in the place of any other is reported or harmless', async () => {
  const path = join(folder, 'applications.db');
  const first = openApplicationStore(folder);
  for (const name of 'abcdef') first.create(application(name));
  first.delete(4);
  const [report, mistakes] = [null, Uint8Array.of(1)];
  const weights = new Float32Array(EMBEDDING_LENGTH);
  const network = { spec: networkSpecOf({ labels: ['in', 'out'], positive: ['out'] }), model: Uint8Array.of(1) };
  first.profiles.add({ profile: { name: 'trained', weights, bias: 0 }, report, mistakes });
  first.profiles.add({ profile: { name: 'own', ...network }, report, mistakes });
  first.close();
  await (await openImageStore(folder)).close();
  assert.deepEqual(verify(folder).damages, []);
  const content = readFileSync(path);
  const pages = Array.from({ length: content.length / PAGE }, (_, i) => content.subarray(PAGE * i, PAGE * (i + 1)));
  for (let place = 1; place < pages.length; place++)
    for (const [other, page] of pages.entries()) {
      if (other === place) continue;
      const name = `page ${other + 1} in the place of ${place + 1}`;
      writeFileSync(path, Buffer.concat(pages.with(place, page)));
      const damages: Damage[] = [];
      try {
        const store = openApplicationStore(folder, (damage) => damages.push(damage));
        const found = store.list();
        const deleted = store.deleted();
        const profiles = [store.profiles.names(), store.profiles.list()].map(({ length }) => length);
        store.close();
        for (const { number, ...rest } of found) assert.deepEqual(rest, application('abcdef'[number - 1]!), name);
        if (found.length + deleted.length < 6 || Math.min(...profiles) < 2) assert.ok(damages.length > 0, name);
      } catch (cause) {
        assert.ok(cause instanceof Failure && cause.message.includes('applications.db'), `${name}: ${String(cause)}`);
      }
      const verified = verify(folder).damages;
      if (damages.length > 0) assert.ok(verified.length > 0, `${name}: verify is silent`);
    }
});
