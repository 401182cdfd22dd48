import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { errorCodes } from '@sosia/client';
import { sampleFile, sampleIds } from '../service/samples.ts';
import { startService, type Service } from '../service/service.ts';
import { npmWith, pythonWith } from './foreign-packages.ts';

const home = mkdtempSync(join(tmpdir(), 'sosia-generated-'));
const openapi = join(home, 'openapi.json');
let service: Service;
let key: string;
before(async () => {
  service = await startService({ data: join(home, 'data'), flags: ['--decode-workers', '1'] });
  key = service.createApplication('media-matching');
  writeFileSync(openapi, await (await fetch(`${service.query}/openapi.json`)).text());
});
after(async () => {
  await service.close();
  rmSync(home, { recursive: true });
});

test('a client that openapi-python-client generates uploads, searches, and gets a refusal as an answer', (context) => {
  const programs = pythonWith('openapi-python-client==0.29.1');
  if (!programs) return context.skip('no Python with packages of PyPI here');
  const generator = join(programs, 'openapi-python-client');
  const words = ['generate', '--path', openapi, '--output-path', join(home, 'client'), '--meta', 'none'];
  execFileSync(generator, words, { stdio: 'pipe' });
  const [id] = sampleIds(1) as [string];
  writeFileSync(join(home, 'picture.jpg'), sampleFile(id));
  const said = execFileSync(
    join(programs, 'python'),
    [
      '-c',
      `
import io
from client import AuthenticatedClient
from client.api.modify import add_image
from client.api.query import search_image_by_upload, get_image_by_id_query_by_get
from client.models import AddImageBody, Failure, FailureStatusCode, SearchImageByUploadBody
from client.types import File

picture = lambda: File(payload=open("picture.jpg", "rb"), file_name="picture.jpg")
modify = AuthenticatedClient(base_url="${service.modify}", token="${key}")
query = AuthenticatedClient(base_url="${service.query}", token="${key}")
print(add_image.sync(client=modify, body=AddImageBody(image_id="a", image_content=picture(), keywords=["one", "two"])).grade)
[image] = search_image_by_upload.sync(client=query, body=SearchImageByUploadBody(image_content=picture())).images
print(image.id, image.score, image.keywords)
refusal = get_image_by_id_query_by_get.sync(client=query, image_id="missing")
print(isinstance(refusal, Failure), refusal.status.code == FailureStatusCode.UNKNOWN_IMAGE, refusal.status.message)
`,
    ],
    { cwd: home, encoding: 'utf8' },
  );
  assert.deepEqual(said.trim().split('\n'), ['4', "a 0 ['one', 'two']", 'True True Unknown image id: missing']);
});

test('types that openapi-typescript generates compile, and know files, codes and results', (context) => {
  const programs = npmWith('openapi-typescript@7.13.0', 'typescript@5.9.3');
  if (!programs) return context.skip('no registry of npm here');
  execFileSync(join(programs, 'openapi-typescript'), [openapi, '--output', join(home, 'api.ts')], { stdio: 'pipe' });
  writeFileSync(
    join(home, 'use.ts'),
    `import type { components, operations } from './api.ts';
type Answer = components['schemas']['SearchImageByUploadAnswer'];
export const ids = (answer: Answer): string[] => answer.images.map(({ id }) => id);
export const refused = (failure: components['schemas']['Failure']): boolean => failure.status.code === ${errorCodes.UNKNOWN_IMAGE};
export const posted: operations['AddImage']['requestBody']['content']['multipart/form-data'] = { image_id: 'a' };
// @ts-expect-error -- an id is a text
export const wrong: operations['AddImage']['requestBody']['content']['multipart/form-data'] = { image_id: 1 };
`,
  );
  const strict = ['--noEmit', '--strict', '--allowImportingTsExtensions', '--module', 'nodenext', '--target', 'es2023'];
  execFileSync(join(programs, 'tsc'), [...strict, 'use.ts'], { cwd: home, stdio: 'pipe' });
});
