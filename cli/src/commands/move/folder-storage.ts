import { awaitCommits, type ImageStore, openApplicationStore, openImageStore, readImageStore } from '@sosia/server';
import type { ApplicationRecord, Damage, NewImage, StoredImage } from '@sosia/server';
import { existing } from '../../data-folder/folder.ts';
import { logLine } from '../../terminal/output.ts';
import { networkOf, type Source, type Storage, type Target } from './storage.ts';

const report = ({ file, what }: Damage): void => logLine(`damaged: ${file}: ${what}`);

/** Pictures that are read at a time. */
const BATCH = 256;

/** A data folder that a running service may change meanwhile. */
export async function openSourceFolder(folder: string): Promise<Source> {
  const images = await readImageStore(existing(folder, '--from'), report);
  return {
    ...openApplications(folder, images),
    async versions({ number }) {
      const held = await images.held(number);
      if (!held) throw new Error(`${folder} is damaged, so that its changes cannot be seen; run sosia repair`);
      return held.numbers;
    },
    async *pictures({ number, type, network }, versions) {
      const stored = versions
        ? inBatches(versions, (some) => images.images(number, some))
        : images.replay(number, type, network);
      for await (const batch of stored) {
        const pictures = await Promise.all(batch.map((image) => pictureOf(images, number, image)));
        yield pictures.map((picture, i) => ({ version: batch[i]!.number, picture }));
      }
    },
  };
}

/** A data folder that this process alone changes; created where it is missing. */
export async function openTargetFolder(folder: string): Promise<Target> {
  const images = await openImageStore(folder, report);
  const { store, ...applications } = openApplications(folder, images);
  /** Of the pictures of each application. */
  const numbers = new Map<number, Map<string, number>>();
  async function* all({ number, type, network }: ApplicationRecord): AsyncGenerator<StoredImage[]> {
    numbers.set(number, new Map());
    for await (const batch of images.replay(number, type, network)) {
      for (const image of batch) numbers.get(number)!.set(image.id, image.number);
      yield batch;
    }
  }
  const numbersOf = ({ number }: ApplicationRecord, ids: readonly string[]): number[] =>
    ids.flatMap((id) => numbers.get(number)!.get(id) ?? []);
  return {
    ...applications,
    create: async (row, network) => store.create(row, network),
    alone: (_, work) => work(() => {}),
    async *pictures(application, ids) {
      const { number } = application;
      const read = (some: readonly number[]): Promise<StoredImage[]> => images.images(number, some);
      for await (const batch of ids ? inBatches(numbersOf(application, ids), read) : all(application))
        yield await Promise.all(batch.map((image) => pictureOf(images, number, image)));
    },
    async put({ number }, pictures) {
      const known = numbers.get(number)!;
      const write = (picture: NewImage): Promise<number> => {
        const former = known.get(picture.id);
        return former === undefined ? images.append(number, picture) : images.replace(number, former, picture);
      };
      await Promise.all(pictures.map(async (picture) => known.set(picture.id, await write(picture))));
    },
    async remove(application, ids) {
      const { number } = application;
      await Promise.all(numbersOf(application, ids).map((each) => images.remove(number, each)));
      for (const id of ids) numbers.get(number)!.delete(id);
    },
  };
}

function openApplications(folder: string, images: ImageStore) {
  const store = openApplicationStore(folder, report);
  const storage: Storage = {
    name: folder,
    records: images,
    applications: async () => store.list(),
    async update({ number }, row) {
      store.update(number, row);
      awaitCommits(folder);
    },
    async close() {
      store.close();
      await images.close();
    },
  };
  return { ...storage, store, network: (application: ApplicationRecord) => networkOf(application, store.profiles) };
}

async function* inBatches<T>(
  numbers: readonly number[],
  read: (some: readonly number[]) => Promise<T>,
): AsyncGenerator<T> {
  for (let start = 0; start < numbers.length; start += BATCH) yield await read(numbers.slice(start, start + BATCH));
}

async function pictureOf(
  images: ImageStore,
  application: number,
  { id, keywords, dna, number }: StoredImage,
): Promise<NewImage> {
  const [thumbnail, details] = await Promise.all([
    images.thumbnail(application, number),
    images.details(application, number),
  ]);
  return { id, keywords, dna, thumbnail, details };
}
