import { execFileSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemTest } from '@sosia/testing/harness/system-test';
import { stagesOf } from './containerfile.ts';
import type { Stage } from './containerfile.ts';
import { enter, makeRoot, runStep, startContainer, USER } from './root.ts';
import type { Environment } from './root.ts';

const clone = fileURLToPath(new URL('../../../', import.meta.url));
/** Seconds from the start of a container to its first match. */
const MOST = 60;

interface Image extends Environment {
  readonly root: string;
  readonly user: string;
  readonly volume: string;
  readonly health: readonly string[];
  readonly command: readonly string[];
}

/**
 * Runs the steps of deploy/Containerfile in new root file systems, then the image as a container does. It replaces the build of
 * an image on machines without a container engine. `PACKAGES=ffmpeg` builds the image for films, and has it list the stills of one.
 */
export default systemTest({
  name: 'container',
  promise: 'The image is built by its steps, and runs without rights and with a read-only root.',
  needs: ['the right to mount', 'debootstrap and ip'],
  async run({ folder, expect }) {
    const begin = performance.now();
    const seconds = (since: number): number => Math.round((performance.now() - since) / 100) / 10;
    const roots = new Map<string | undefined, string>();
    let image: Image | undefined;
    for (const [i, stage] of stagesOf(readFileSync(join(clone, 'deploy/Containerfile'), 'utf8')).entries()) {
      const root = join(folder, `stage-${i}`);
      if (!makeRoot(root, stage.from)) throw new Error(`${stage.from} is out of reach`);
      roots.set(stage.name, root);
      image = runStage(stage, root, roots);
    }
    const built = seconds(begin);

    const { root, user, volume, health, command } = image!;
    expect(user === 'node', `the image runs as ${user}`);
    const own = join(folder, 'volume');
    cpSync(join(root, volume), own, { recursive: true });
    chownSync(own, USER, USER);
    const variables = { ...image!.variables, SOSIA_SOURCE_FOLDERS: volume };
    const start = (words: readonly string[]): ChildProcess =>
      startContainer(root, words, { ...image!, variables }, { own, inside: volume });

    const demoBegin = performance.now();
    const demo = start(['sosia', 'demo']);
    const match = await lineOf(demo, /^A first match: \S+ shows \S+ \(/);
    const matched = seconds(demoBegin);
    expect(match !== undefined, 'the demo found no first match');
    expect(matched <= MOST, `the first match took ${matched} s`);
    await stop(demo);

    const service = start(command);
    const log = lineOf(service, /not fully confined/);
    expect((await lineOf(service, /^\{"ready":true/, 'stdout')) !== undefined, 'the service did not start');
    const inside = (...words: string[]): string => enter(firstOf(service), words, image!);
    inside(...health);
    const status = readFileSync(`/proc/${firstOf(service)}/status`, 'utf8');
    expect(new RegExp(`^Uid:\\s+${USER}\\s+${USER}\\s`, 'm').test(status), 'process 1 is another user');
    expect(/^CapEff:\s+0+$/m.test(status), 'process 1 has capabilities');
    const packages = '/usr/local/lib/node_modules/sosia-server';
    for (const place of ['/', '/usr/local/bin', packages]) {
      const outcome = inside('sh', '-c', `touch ${place}/trace 2>&1 || true`);
      expect(/Read-only file system/.test(outcome), `${place} can be written`);
    }
    const found = inside(
      'sh',
      '-c',
      `sosia search $(find ${packages} -name kodim23-rotated.jpg) --app $(cat demo.key)`,
    );
    expect(/kodim23\.jpg/.test(found), 'the pictures of the first container are not found');
    const films = filmsIn(inside);
    if (image!.variables['PACKAGES'] === 'ffmpeg') expect(/added +[1-9]/.test(films), `stills of a film: ${films}`);
    else expect(/expected the program ffmpeg/.test(films), `a film without ffmpeg: ${films}`);
    const ended = await stop(service);
    expect(ended === 0, `SIGTERM ended the service with ${ended}`);
    expect((await log) === undefined, 'the service reports missing confinement');
    const size = Number(String(execFileSync('du', ['-sm', root])).split('\t')[0]);
    return { builtSeconds: built, firstMatchSeconds: matched, megabytes: size };
  },
});

function runStage({ steps }: Stage, root: string, roots: ReadonlyMap<string | undefined, string>): Image {
  let image: Image = { root, folder: '/', variables: {}, user: 'root', volume: '', health: [], command: [] };
  for (const { instruction, words } of steps) {
    if (instruction === 'RUN') runStep(root, words, image);
    else if (instruction === 'COPY') copy(words.split(' '), image, roots);
    else image = { ...image, ...setting(instruction, words, image) };
    if (instruction === 'WORKDIR') mkdirSync(join(root, words), { recursive: true });
  }
  return image;
}

function setting(instruction: string, words: string, { variables }: Image): Partial<Image> {
  if (instruction === 'WORKDIR') return { folder: words };
  if (instruction === 'USER') return { user: words };
  if (instruction === 'VOLUME') return { volume: words };
  if (instruction === 'CMD') return { command: JSON.parse(words) as string[] };
  if (instruction === 'HEALTHCHECK') return { health: JSON.parse(words.slice(words.indexOf('['))) as string[] };
  if (instruction === 'EXPOSE') return {};
  if (instruction === 'ARG') {
    const [name, usual = ''] = words.split('=') as [string, string?];
    return { variables: { ...variables, [name]: process.env[name] ?? usual } }; // as `--build-arg NAME` does
  }
  if (instruction !== 'ENV') throw new Error(`expected a known instruction, got ${instruction}`);
  const given = words.split(' ').map((word) => word.split('=') as [string, string]);
  return { variables: { ...variables, ...Object.fromEntries(given) } };
}

/** `COPY . .` copies what a clone has; `COPY --from=STAGE FILES FOLDER` copies from another stage. */
function copy(words: readonly string[], { root, folder }: Image, roots: ReadonlyMap<string | undefined, string>): void {
  const [, stage] = /^--from=(.+)$/.exec(words[0]!) ?? [];
  const [from, to] = stage === undefined ? words : words.slice(1);
  if (stage !== undefined) {
    execFileSync('sh', ['-c', `cp '${roots.get(stage)}'${from} '${root}${to}'`]);
    return;
  }
  if (from !== '.' || to !== '.') throw new Error(`expected COPY . ., got COPY ${words.join(' ')}`);
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: clone });
  for (const name of String(files).split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(root, folder, name)), { recursive: true });
    cpSync(join(clone, name), join(root, folder, name));
  }
}

/** What a source of films would add; where there is no ffmpeg, its refusal. */
function filmsIn(inside: (...words: string[]) => string): string {
  inside(
    'sh',
    '-c',
    'mkdir films; ffmpeg -v error -f lavfi -i testsrc -t 3 films/a.mp4 && touch -d -1minute films/a.mp4 || true',
  );
  const key = '$(sosia admin key --name films)';
  const add = `sosia source add films --films "$PWD/films" --application demo --app ${key} --dry-run`;
  return inside('sh', '-c', `${add} 2>&1 || true`);
}

/** The first line that matches; undefined where the output ends without one. */
async function lineOf(
  child: ChildProcess,
  pattern: RegExp,
  stream: 'stdout' | 'stderr' = 'stderr',
): Promise<string | undefined> {
  let found: string | undefined;
  return new Promise((resolve) => {
    createInterface(child[stream]!)
      .on('line', (line) => {
        if (pattern.test(line)) resolve((found ??= line));
      })
      .on('close', () => resolve(found));
  });
}

/** The process 1 of a container, as this machine numbers it. @throws Error where it has ended: a signal to 0 would reach this process */
function firstOf({ pid }: ChildProcess): number {
  const first = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
  if (first === 0) throw new Error('the container has ended');
  return first;
}

async function stop(container: ChildProcess): Promise<number | null> {
  const ended = once(container, 'exit');
  process.kill(firstOf(container), 'SIGTERM');
  const [code] = (await ended) as [number | null];
  return code;
}
