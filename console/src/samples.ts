/** Pictures to try Sosia with, files of the built page: `sample-NAME.jpg`. */
export interface Sample {
  readonly name: string;
  /** The file below `fixtures`. */
  readonly source: string;
  /** The longest side in pixels. */
  readonly side: number;
}

const photograph = (name: string, number: string): Sample => ({
  name,
  source: `samples/kodim${number}.jpg`,
  side: 640,
});

const edited = (of: string, file: string, edit: string) => ({
  name: `${of}-${edit.split(' ')[0]}`,
  source: `edited/kodim${file}.jpg`,
  side: 640,
  of,
  edit,
});

export const sampleReferences: readonly Sample[] = [
  photograph('hats', '03'),
  photograph('motorcycles', '05'),
  photograph('window', '07'),
  photograph('sails', '09'),
  photograph('beach', '12'),
  photograph('portrait', '15'),
  photograph('statue', '17'),
  photograph('lighthouse', '19'),
  photograph('aeroplane', '20'),
  photograph('cliff', '21'),
  photograph('barn', '22'),
  photograph('parrots', '23'),
];

/** Smaller copies of two of them, for the review of duplicates. */
export const sampleCopies: readonly Sample[] = [
  { name: 'lighthouse-small', source: 'samples/kodim19.jpg', side: 400 },
  { name: 'barn-small', source: 'samples/kodim22.jpg', side: 320 },
];

/** Edited pictures to search with, each with the name of its reference. */
export const sampleQueries: readonly (Sample & { readonly of: string; readonly edit: string })[] = [
  edited('motorcycles', '05-cropped', 'cropped'),
  edited('portrait', '15-pasted', 'pasted into another'),
  edited('aeroplane', '20-mirrored', 'mirrored'),
  edited('parrots', '23-rotated', 'rotated'),
];

/** The id of a sample that was added. */
export const idOf = (name: string): string => `samples/${name}.jpg`;

export const addressOf = ({ name }: Sample): string => `sample-${name}.jpg`;

/** The sample as a file, as if it had been chosen. */
export async function fileOf(sample: Sample): Promise<File> {
  const response = await fetch(addressOf(sample));
  return new File([await response.blob()], `${sample.name}.jpg`, { type: 'image/jpeg' });
}
