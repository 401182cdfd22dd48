import type { FileChanges } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { put, remove, valueOf } from '../applications/records.ts';
import { storedPicture } from '../applications/references.ts';
import { unless } from '../errors.ts';
import { inParts } from './parts.ts';
import type { ReviewStore, LeaseCheck } from './review-store.ts';
import { kinds, type Removed, type Verdict } from './stored.ts';
import { base64, bytesIn } from '../parameters/base64.ts';

/** The pictures that a verdict removes. */
export function removedBy({ images, kept }: Verdict): string[] {
  return kept === null ? [] : images.filter((each) => each !== kept);
}

/** What is stored of a picture before a verdict removes it. */
export async function contentOf(
  application: Application,
  id: string,
  [verdict, { files }]: readonly [string, Verdict],
): Promise<Removed> {
  const { dna, thumbnail, ...picture } = await storedPicture(application.references, id);
  const file = files === 'trash' ? await application.files?.fileOf(application, id) : undefined;
  return { verdict, ...picture, dna: base64(dna), thumbnail: thumbnail && base64(thumbnail), file };
}

/** The name of the record of a removed picture. */
export const removedName = ({ verdict, id }: Pick<Removed, 'verdict' | 'id'>): string => `${verdict} ${id}`;

/** Removes the pictures of verdicts, of which some may be removed already, and stores that they are. */
export async function completeRemoval(
  verdicts: readonly (readonly [string, Verdict])[],
  application: Application,
  store: ReviewStore,
  checkLease: LeaseCheck,
): Promise<FileChanges> {
  if (verdicts.length === 0) return together([]);
  const removed = verdicts.flatMap(([, verdict]) => removedBy(verdict).map((image) => ({ image, verdict })));
  const changes = await inParts(removed, async ({ image, verdict: { kept, files } }) => {
    const hasOther = files === undefined || (await application.originsOf([kept!])).size > 0;
    checkLease();
    const change = await unless('IMAGE_NOT_FOUND', application.delete(image, hasOther ? files : 'keep'));
    return hasOther
      ? change
      : { changed: 0, kept: [{ image_id: image, message: `${kept}, which stays, has no file` }] };
  });
  await store.store(verdicts.map(([id, { pending: _, ...verdict }]) => put(kinds.verdict, id, verdict)));
  return together(changes);
}

/** Adds the pictures of verdicts again, with their files that were moved, and forgets the verdicts. */
export async function undoRemoval(
  verdicts: readonly (readonly [string, Verdict])[],
  application: Application,
  store: ReviewStore,
  checkLease: LeaseCheck,
): Promise<{ restored: number; files?: FileChanges }> {
  const names = verdicts.flatMap(([verdict, each]) => removedBy(each).map((id) => removedName({ verdict, id })));
  let restored = 0;
  const changes = await inParts(names, async (name) => {
    const record = await store.record(kinds.removed, name);
    if (!record) return undefined;
    const { id, keywords, dna, thumbnail, details, file } = valueOf<Removed>(record);
    const picture = {
      id,
      keywords,
      dna: bytesIn(dna),
      thumbnail: thumbnail === undefined ? undefined : bytesIn(thumbnail),
      details,
    };
    checkLease();
    const change = file && (await application.files?.restore(application, id, file));
    await unless(
      'IMAGE_EXISTS',
      application.references.add(picture).then(() => restored++),
    );
    return change;
  });
  await store.store([
    ...verdicts.map(([id]) => remove(kinds.verdict, id)),
    ...names.map((name) => remove(kinds.removed, name)),
  ]);
  const hadFiles = verdicts.some(([, { files }]) => files);
  return { restored, ...(hadFiles && { files: together(changes) }) };
}

function together(all: readonly (FileChanges | undefined)[]): FileChanges {
  const some = all.filter((each) => each !== undefined);
  return { changed: some.reduce((sum, { changed }) => sum + changed, 0), kept: some.flatMap(({ kept }) => kept) };
}
