import { put, remove, valueOf } from '../applications/records.ts';
import { Failure, type ErrorName } from '../errors.ts';
import type { References } from '../applications/references.ts';
import { inParts } from './parts.ts';
import type { ReviewStore, LeaseCheck } from './review-store.ts';
import { base64, bytesIn, kinds, type Removed, type Verdict } from './stored.ts';

/** The pictures that a verdict removes. */
export function removedBy({ images, kept }: Verdict): string[] {
  return kept === null ? [] : images.filter((each) => each !== kept);
}

/** What is stored of a picture before a verdict removes it. */
export async function contentOf(references: References, id: string, verdict: string): Promise<Removed> {
  const [{ keywords }, dna, thumbnail, details] = await Promise.all([
    references.image(id),
    references.dna(id),
    references.thumbnail(id),
    references.details(id),
  ]);
  return { verdict, id, keywords, dna: base64(dna), thumbnail: thumbnail && base64(thumbnail), details };
}

/** The name of the record of a removed picture. */
export const removedName = ({ verdict, id }: Pick<Removed, 'verdict' | 'id'>): string => `${verdict} ${id}`;

/** Removes the pictures of verdicts, of which some may be removed already, and stores that they are. */
export async function completeRemoval(
  verdicts: readonly (readonly [string, Verdict])[],
  references: References,
  store: ReviewStore,
  checkLease: LeaseCheck,
): Promise<void> {
  if (verdicts.length === 0) return;
  const removed = verdicts.flatMap(([, verdict]) => removedBy(verdict));
  await inParts(removed, async (image) => {
    checkLease();
    await references.delete(image).catch(unless('IMAGE_NOT_FOUND'));
  });
  await store.store(verdicts.map(([id, { pending: _, ...verdict }]) => put(kinds.verdict, id, verdict)));
}

/** Adds the pictures of verdicts again and forgets the verdicts. @returns the number of pictures that were added */
export async function undoRemoval(
  verdicts: readonly (readonly [string, Verdict])[],
  references: References,
  store: ReviewStore,
  checkLease: LeaseCheck,
): Promise<number> {
  const names = verdicts.flatMap(([verdict, each]) => removedBy(each).map((id) => removedName({ verdict, id })));
  let restored = 0;
  await inParts(names, async (name) => {
    const record = await store.record(kinds.removed, name);
    if (!record) return;
    const { id, keywords, dna, thumbnail, details } = valueOf<Removed>(record);
    const picture = {
      id,
      keywords,
      dna: bytesIn(dna),
      thumbnail: thumbnail === undefined ? undefined : bytesIn(thumbnail),
      details,
    };
    checkLease();
    await references.add(picture).then(() => restored++, unless('IMAGE_EXISTS'));
  });
  await store.store([
    ...verdicts.map(([id]) => remove(kinds.verdict, id)),
    ...names.map((name) => remove(kinds.removed, name)),
  ]);
  return restored;
}

function unless(error: ErrorName): (cause: unknown) => void {
  return (cause) => {
    if (!(cause instanceof Failure) || cause.error !== error) throw cause;
  };
}
