import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { applicationTypes, typeDefinitions } from '@sosia/engine';
import { operations } from '../operations/operations.ts';
import type { Service } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';

// The lines of docs/api.md in a shell, with only the ports replaced.
const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
const lines = page.split('\n').filter((line) => line.startsWith('curl '));
const missing = spawnSync('sh', ['-c', 'curl --version']).status !== 0 && 'there is no curl';

let service: Service;
let folder: string;
before(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'sosia-curl-'));
  await writeFile(join(folder, 'picture.jpg'), await photograph(1));
});
after(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

for (const operation of operations) {
  test(`the example of ${operation.name} of ${operation.families[0]}`, { skip: missing }, async () => {
    const type = applicationTypes.find(
      (each) => !operation.refuses(typeDefinitions[each].traits) && typeDefinitions[each].traits.symmetric,
    )!;
    const application_key = service.application(type);
    if (operation.name !== 'AddImage' && typeDefinitions[type].traits.references) {
      const picture = { image_content: await photograph(1), keywords: ['holiday'] };
      await service.modify('AddImage', { application_key, image_id: 'harbour.jpg', ...picture });
      const { dna } = await service.modify('GetDnaById', { application_key, image_id: 'harbour.jpg' });
      await writeFile(join(folder, 'picture.dna'), Buffer.from(dna.dna, 'base64'));
    }
    const line = lines
      .find((each) => each.includes(`/${operation.families[0]}/json/${operation.name} `))!
      .replace(':7789/', `:${service.modifyPort}/`)
      .replace(':8080/', `:${service.queryPort}/`);
    const options = { cwd: folder, env: { ...process.env, KEY: application_key }, maxBuffer: 10_000_000 };
    const { stdout } = await promisify(execFile)('sh', ['-c', line.replace('curl', 'curl -s')], options);
    assert.equal(JSON.parse(stdout).status.code, 0, `${line}: ${stdout.slice(0, 200)}`);
  });
}
