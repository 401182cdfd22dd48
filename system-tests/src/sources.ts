import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionError, Sosia } from '@sosia/client';
import { samplesFolder } from '@sosia/fixtures';
import { between, oneOf, randomFor } from '@sosia/testing/pictures/random';
import type { Random } from '@sosia/testing/pictures/random';
import { systemTest } from '@sosia/testing/harness/system-test';
import { sampleIds } from '@sosia/testing/service/samples';
import { sosia } from '@sosia/testing/service/service';
import sharp from 'sharp';

/** Seconds between two passes while the folder changes, and while it does not: the shortest, and the usual one. */
const INTERVALS = { changing: 5, idle: 30 };
const FOLDERS = ['', 'a/', 'b/', 'b/c/'];
/** Share of a core that may be used while nothing changes. */
const IDLE_SHARE = 0.02;

/** Changes a folder at random while the service that follows it is killed at random, and then looks what it costs to follow. */
export default systemTest({
  name: 'sources',
  promise: 'A folder that is followed is in the application as it is, whenever the service is killed.',
  sizes: {
    SOSIA_PICTURES: { usual: 240, whole: 10_000 },
    SOSIA_SECONDS: { usual: 60, whole: 3600 },
    SOSIA_IDLE_SECONDS: { usual: 30, whole: 120 },
  },
  async run({ seed, size, folder, expect, start }) {
    const random = randomFor('sources', seed);
    const pictures = await makePictures();
    const root = join(folder, 'pictures');
    const changer = new Changer(random, root, pictures, size.SOSIA_PICTURES / FOLDERS.length);
    const flags = ['--source-folders', root];
    let service = await start({ flags });
    const key = service.createApplication('media-matching');
    const dnaOf = await descriptions(service.client(key), pictures);
    const words = ['admin', 'key', '--data', service.data, '--json'];
    const { key: administrator } = JSON.parse(
      execFileSync(process.execPath, [sosia, ...words], { encoding: 'utf8' }),
    ) as { key: string };
    const administer = () => new Sosia({ key: administrator, modify: service.modify, query: service.query });
    const agree = async (): Promise<number> => {
      try {
        return await answer(administer(), selected);
      } catch (cause) {
        expect(cause instanceof ConnectionError && !service.crashed(), (cause as Error).message);
        return 0; // an idle connection of the busy machine was closed
      }
    };
    const selected = { application: 'media-matching', source: 's' };
    const place = {
      name: 's',
      kind: 'folder',
      path: root,
      interval: INTERVALS.changing,
      application: 'media-matching',
    };
    await administer().ask('administration', 'CreateSource', place);

    let [changes, kills, questions] = [0, 0, 0];
    const end = performance.now() + 1000 * size.SOSIA_SECONDS;
    for (let nextKill = 0; performance.now() < end;) {
      changes += changer.change();
      await pause(between(random, 0, 150));
      if (performance.now() < nextKill) continue;
      if (nextKill > 0) {
        await service.kill();
        kills++;
        service = await start({ flags });
      }
      questions += await agree();
      nextKill = performance.now() + 1000 * between(random, 0.5, 8);
    }

    const files = filesIn(root);
    for (let quiet = 0; quiet < 2;) {
      await pause(1000 * INTERVALS.changing);
      questions += await agree();
      const { source } = await administer().ask('administration', 'GetSource', selected);
      const { added, changed, moved, removed } = source.progress;
      quiet = source.state === 'waiting' && added + changed + moved + removed === 0 ? quiet + 1 : 0;
    }
    await administer().ask('administration', 'SetSource', { ...selected, interval: INTERVALS.idle });
    const used = service.processorMs();
    await pause(1000 * size.SOSIA_IDLE_SECONDS);
    const idleShare = (service.processorMs() - used) / (1000 * size.SOSIA_IDLE_SECONDS);
    expect(idleShare <= IDLE_SHARE, `${idleShare} of a core while nothing changes`);

    const client = service.client(key);
    const followed = new Map<string, number>();
    for await (const { id, origin } of client.images()) {
      const path = origin?.path ?? `${id} without an origin`;
      followed.set(path, (followed.get(path) ?? 0) + 1);
    }
    const missed = [...files.keys()].filter((path) => !followed.has(path));
    const doubles = [...followed].filter(([path, count]) => count > 1 || !files.has(path));
    expect(missed.length === 0, `missed: ${missed.join(', ')}`);
    expect(doubles.length === 0, `twice, or no longer in the folder: ${doubles.join(', ')}`);
    let wrong = 0;
    for (const [path, picture] of files) {
      const dna = await client.dna(path);
      if (Buffer.compare(dna, dnaOf[picture]!) !== 0) wrong++;
    }
    expect(wrong === 0, `${wrong} pictures are not those of their files`);
    expect(kills > 2 && files.size > 5, 'too little was tried');
    const judged = { pictures: files.size, missed: missed.length, doubles: doubles.length, wrong };
    return { changes, kills, questions, ...judged, idleShare: Number(idleShare.toFixed(4)) };
  },
});

/** Small pictures. */
async function makePictures(): Promise<Buffer[]> {
  const files = sampleIds().map((name) => readFileSync(join(samplesFolder, name)));
  return Promise.all(files.map((file) => sharp(file).resize(320).jpeg().toBuffer()));
}

/** The DNA of each picture, of which nothing stays. */
async function descriptions(client: Sosia, pictures: readonly Buffer[]): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for (const picture of pictures) {
    await client.add('picture', picture);
    all.push(await client.dna('picture'));
    await client.delete('picture');
  }
  return all;
}

/** A folder of files that change at random. Each file has other bytes; the last one is the number of its picture. */
class Changer {
  readonly #random: Random;
  readonly #root: string;
  readonly #pictures: readonly Buffer[];
  readonly #names: number;
  #written = 0;

  /** @param names  in each folder, all of which have a file at first */
  constructor(random: Random, root: string, pictures: readonly Buffer[], names: number) {
    this.#random = random;
    this.#root = root;
    this.#pictures = pictures;
    this.#names = names;
    for (const inside of FOLDERS) this.#fill(inside);
  }

  #fill(inside: string): void {
    mkdirSync(join(this.#root, inside), { recursive: true });
    for (let name = 0; name < this.#names; name++)
      writeFileSync(join(this.#root, `${inside}${name}.jpg`), this.#file());
  }

  /** One change. @returns 0 where there was nothing to change */
  change(): number {
    const random = this.#random;
    const [path, other] = [this.#anyPath(), this.#anyPath()];
    mkdirSync(dirname(path), { recursive: true });
    mkdirSync(dirname(other), { recursive: true });
    if (random() < 1.2 / this.#names) return this.#changeFolders();
    const kind = random();
    if (kind < 0.4) writeFileSync(path, this.#file());
    else if (kind < 0.5) {
      writeFileSync(`${path}.part`, this.#file());
      renameSync(`${path}.part`, path);
    } else if (!existsSync(path)) return 0;
    else if (kind < 0.75) renameSync(path, other);
    else rmSync(path);
    return 1;
  }

  #changeFolders(): number {
    const [a, b, inside] = ['a', 'b', 'a/b'].map((path) => join(this.#root, path)) as [string, string, string];
    const kind = this.#random();
    if (kind < 0.3) rmSync(a, { recursive: true, force: true });
    else if (kind < 0.6) this.#fill(oneOf(this.#random, FOLDERS));
    else if (existsSync(a) && existsSync(b) && !existsSync(inside)) renameSync(b, inside);
    else return 0;
    return 1;
  }

  #anyPath(): string {
    const name = Math.floor(between(this.#random, 0, this.#names));
    return join(this.#root, `${oneOf(this.#random, FOLDERS)}${name}.jpg`);
  }

  #file(): Buffer {
    const picture = Math.floor(between(this.#random, 0, this.#pictures.length));
    const end = Buffer.from([0, 0, 0, 0, picture]);
    end.writeUInt32BE(this.#written++);
    return Buffer.concat([this.#pictures[picture]!, end]);
  }
}

/** Agrees to a removal where the source needs it. */
async function answer(client: Sosia, selected: { application: string; source: string }): Promise<number> {
  const { question } = (await client.ask('administration', 'GetSource', selected)).source;
  if (!question) return 0;
  await client.ask('administration', 'ConfirmSource', { ...selected, removals: question.removals }).catch(() => {}); // there may be another question now
  return 1;
}

/** The number of the picture of each file. */
function filesIn(root: string): Map<string, number> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.jpg'));
  return new Map(files.map((path) => [path, readFileSync(join(root, path)).at(-1)!]));
}
