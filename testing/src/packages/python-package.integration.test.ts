import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { editedFolder, samplesFolder } from '@sosia/fixtures';
import { startService, type Service } from '../service/service.ts';
import { pythonWith } from './foreign-packages.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'sosia-python-'));
let programs: string | undefined;
let service: Service;
let key: string;
before(async () => {
  programs = pythonWith('mypy==1.18.2', 'setuptools>=61', 'wheel');
  service = await startService({ data: join(home, 'data'), flags: ['--decode-workers', '1'] });
  key = service.createApplication('media-matching');
  if (!programs) return;
  cpSync(join(root, 'python'), join(home, 'source'), { recursive: true });
  const pip = ['-m', 'pip', '--quiet'];
  const wheel = ['wheel', '--no-build-isolation', '--no-deps', '--wheel-dir', home, join(home, 'source')];
  execFileSync(join(programs, 'python'), [...pip, ...wheel]);
  const [name] = readdirSync(home).filter((each) => each.endsWith('.whl'));
  execFileSync('python3', ['-m', 'venv', join(home, 'clean')]);
  execFileSync(join(home, 'clean/bin/python'), [...pip, 'install', '--no-index', join(home, name!)]);
});
after(async () => {
  await service.close();
  rmSync(home, { recursive: true });
});

/** The output of a program in a clean environment that has the packed package alone. */
async function output(context: TestContext, program: string): Promise<string | undefined> {
  if (!programs) {
    context.skip('no Python with packages of PyPI here');
    return undefined;
  }
  const env = { ...service.environment(key), ARCHIVE: samplesFolder, ARRIVALS: editedFolder };
  const options = { env, cwd: home, timeout: 180_000 };
  return (await promisify(execFile)(join(home, 'clean/bin/python'), ['-W', 'error', '-c', program], options)).stdout;
}

test('the notebook finds the copies of the samples', async (context) => {
  const path = join(root, 'python/examples/copies.ipynb');
  const { cells } = JSON.parse(readFileSync(path, 'utf8')) as { cells: { cell_type: string; source: string[] }[] };
  const code = cells.filter(({ cell_type }) => cell_type === 'code').map(({ source }) => source.join(''));
  const said = await output(context, code.join('\n\n'));
  if (said === undefined) return;
  assert.match(said, /^24 pictures\n/);
  assert.match(said, /^kodim23-rotated\.jpg is kodim23\.jpg \((Clone|Match), [\d.]+ %\)$/m);
});

test('files of each kind, pages, DNA, a refusal and a missing service', async (context) => {
  const said = await output(
    context,
    `
import os
from pathlib import Path
from sosia import ErrorCode, NoAnswer, Refused, Sosia
modify, query = os.environ["SOSIA_MODIFY_URL"], os.environ["SOSIA_QUERY_URL"]
sosia = Sosia(os.environ["SOSIA_KEY"], modify, query)
path = Path(os.environ["ARCHIVE"]) / "kodim05.jpg"
print(sosia.add("path", path, ["é"]), sosia.add("bytes", path.read_bytes()), sosia.add("file", path.open("rb")))
first = [match.id for match in sosia.search(path, page=1)]
print(len(first), first == [match.id for match in sosia.search(path)], [match.id for match in sosia.images(["é"])])
print(sosia.describe(path) == sosia.dna("path"), len(sosia.describe(path, "query")) > len(sosia.dna("path")))
for work in (lambda: sosia.add("text", b"no picture"), lambda: Sosia("x" * 32, modify, query).dna("path")):
    try:
        work()
    except Refused as refused:
        print(repr(refused.code), refused.http)
try:
    Sosia("x", "http://127.0.0.1:9", "http://127.0.0.1:9").dna("path")
except NoAnswer as none:
    print(type(none).__name__, ErrorCode.IMAGE_EXISTS < 0)
`,
  );
  if (said === undefined) return;
  const lines = said.trim().split('\n');
  assert.equal(lines[0], '4 4 4');
  assert.match(lines[1]!, /^\d+ True \['path'\]$/);
  assert.deepEqual(lines.slice(2), [
    'True True',
    '<ErrorCode.NOT_A_PICTURE: -1010> 200',
    '<ErrorCode.UNKNOWN_APPLICATION: -1101> 200',
    'NoAnswer True',
  ]);
});

test('ten lines add, search and follow events', async (context) => {
  const said = await output(
    context,
    `
import os
from pathlib import Path
from sosia import Sosia
sosia = Sosia(os.environ["SOSIA_KEY"], os.environ["SOSIA_MODIFY_URL"], os.environ["SOSIA_QUERY_URL"])
harbour, copy = Path(os.environ["ARCHIVE"]) / "kodim20.jpg", Path(os.environ["ARRIVALS"]) / "kodim20-mirrored.jpg"
sosia.save_search(search_id="harbour", image_content=harbour)
sosia.add("copy", copy)
print([match.id for match in sosia.search(harbour, ["none"])], next(sosia.events(wait=1))["image_id"])
print([event["search_id"] for event in sosia.events()])
`,
  );
  if (said === undefined) return;
  assert.equal(said, "[] copy\n['harbour']\n");
});

test('events to come arrive by a stream', async (context) => {
  const said = await output(
    context,
    `
import os, threading
from pathlib import Path
from sosia import Sosia, transport
sosia = Sosia(os.environ["SOSIA_KEY"], os.environ["SOSIA_MODIFY_URL"], os.environ["SOSIA_QUERY_URL"])
castle = Path(os.environ["ARCHIVE"]) / "kodim07.jpg"
sosia.save_search(search_id="castle", image_content=castle)
last = max((event["id"] for event in sosia.events()), default=0)
threading.Timer(1, sosia.add, ["later", castle]).start()
url = sosia._url("review", "ListEvents")
print(next(transport.stream(url, os.environ["SOSIA_KEY"], {"after": last}, 60))["image_id"])
print(next(sosia.events(last, wait=1))["image_id"])
`,
  );
  if (said === undefined) return;
  assert.equal(said, 'later\nlater\n');
});

test('the types are sound, and a wrong use is an error', (context) => {
  if (!programs) return context.skip('no Python with packages of PyPI here');
  const python = ['--python-executable', join(home, 'clean/bin/python'), '--strict'];
  const use = join(home, 'use.py');
  writeFileSync(
    use,
    `from sosia import Sosia
sosia = Sosia("key")
count: int = sosia.list_images(keywords=["a"])["nb_results_found"]
wrong: int = sosia.list_images(keywords=3)["images"]
`,
  );
  const mypy = join(programs, 'mypy');
  execFileSync(mypy, ['--strict', join(home, 'source/src/sosia')], { cwd: home });
  const { stdout } = (() => {
    try {
      return { stdout: execFileSync(mypy, [...python, use], { cwd: home, encoding: 'utf8' }) };
    } catch (cause) {
      return cause as { stdout: string };
    }
  })();
  assert.match(stdout, /use\.py:4: error: Incompatible types in assignment/);
  assert.match(stdout, /use\.py:4: error: Argument "keywords"/);
  assert.doesNotMatch(stdout, /use\.py:3/);
});
