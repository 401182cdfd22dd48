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

/** Edited pictures to search with. */
export const sampleQueries: readonly (Sample & { readonly edit: string })[] = [
  { name: 'motorcycles-cropped', source: 'edited/kodim05-cropped.jpg', side: 640, edit: 'cropped' },
  { name: 'portrait-pasted', source: 'edited/kodim15-pasted.jpg', side: 640, edit: 'pasted into another' },
  { name: 'aeroplane-mirrored', source: 'edited/kodim20-mirrored.jpg', side: 640, edit: 'mirrored' },
  { name: 'parrots-rotated', source: 'edited/kodim23-rotated.jpg', side: 640, edit: 'rotated' },
];

export const addressOf = ({ name }: Sample): string => `sample-${name}.jpg`;

/** The sample as a file, as if it had been chosen. */
export async function fileOf(sample: Sample): Promise<File> {
  const response = await fetch(addressOf(sample));
  return new File([await response.blob()], `${sample.name}.jpg`, { type: 'image/jpeg' });
}
