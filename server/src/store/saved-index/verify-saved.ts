import { join } from 'node:path';
import { fileNames } from '../folder.ts';
import type { StoredImage } from '../store.ts';
import { namedIn } from './saved-index.ts';
import { partitionSections } from './partition-file.ts';
import { sectionsIn } from './section-file.ts';

/** A file of a saved index that is not to be used, and why. */
export interface SavedFault {
  readonly file: string;
  readonly what: string;
}

/**
 * Checks the saved index of an application: each byte by the checksums, and each picture of the catalogue by that of its record.
 * @param recordOf  the record of a number; undefined for a picture that is deleted, whose place in a saved index is none in an answer
 */
export function verifySaved(
  folder: string,
  application: number,
  recordOf: (number: number) => Pick<StoredImage, 'checksum'> | undefined,
): SavedFault[] {
  // a server may replace the files meanwhile: only a fault found twice is one
  return faultsOf().length === 0 ? [] : faultsOf();

  function faultsOf(): SavedFault[] {
    const faults: SavedFault[] = [];
    const catalogue = `${application}.catalogue`;
    let partitions: readonly { readonly file: string; readonly checksum: number }[] = [];
    check(catalogue, (path) => {
      const names = namedIn(path);
      if (!names) return;
      partitions = names;
      const numbers: number[] = [];
      const checksums: number[] = [];
      for (const { name, bytes } of sectionsIn(path)) {
        const values = () => new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
        if (name === 'numbers') for (const value of values()) numbers.push(value);
        if (name === 'checksums') for (const value of values()) checksums.push(value);
      }
      const other = numbers.find((number, i) => (recordOf(number)?.checksum ?? checksums[i]) !== checksums[i]);
      if (other !== undefined)
        throw new Error(`expected picture ${other} as in ${fileNames.images}, found another one`);
    });
    for (const { file, checksum } of partitions) {
      check(file, (path) => {
        const sections = partitionSections({ path, checksum });
        while (!sections.next().done);
      });
    }
    return faults;

    function check(name: string, work: (path: string) => void): void {
      try {
        work(join(folder, fileNames.index, name));
      } catch (cause) {
        faults.push({ file: `${fileNames.index}/${name}`, what: (cause as Error).message });
      }
    }
  }
}
