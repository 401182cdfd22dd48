import { relative } from 'node:path';
import { corporaFolder, corpusPictures } from '@sosia/testing/pictures/corpus';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';
import { missingCorpora } from '../harness/benchmark.ts';

const FOLDERS = ['photos', 'photos_small', 'covers', 'logos', 'cats_dogs', 'styles', 'clothing'];

export const missingPictures = missingCorpora(...FOLDERS);

/** Pictures of the corpora, each under a name of its own. Those that are used up are used again under other names. */
export function realPictures(count: number): { readonly name: string; readonly path: string }[] {
  const pictures = shuffled(
    randomFor('import', 1),
    FOLDERS.flatMap((name) => corpusPictures(name)!),
  );
  return Array.from({ length: count }, (_, i) => {
    const path = pictures[i % pictures.length]!;
    return { name: `${Math.floor(i / pictures.length)}/${relative(corporaFolder, path)}`, path };
  });
}
