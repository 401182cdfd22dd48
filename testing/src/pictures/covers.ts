/** Covers that the corpus has twice, by eye: as the same print (a twin) or as another edition with the same picture (a relative). */
export const otherPrints = new Map<string, { readonly twin?: string; readonly relative?: string }>([
  ['014', { relative: 'et' }],
  ['028', { twin: 'matrix_reloaded' }],
  ['030', { relative: 'mission_impossible' }],
  ['033', { twin: 'my_big_fat_greek_wedding' }],
]);

/** Posters of the same film with the same picture, by eye. */
const posters: ReadonlyMap<string, string> = new Map([
  ['015', 'tt0119094'],
  ['016', 'tt0218967'],
  ['030', 'tt0117060'],
  ['definitely_maybe', 'tt0832266'],
  ['mission_impossible', 'tt0117060'],
  ['only_you', 'tt0110737'],
]);

/**
 * Further covers in a photograph, by eye: some photographs of the Palm show a pile. A match of one of these is right.
 * Photographs that are not listed show one cover only.
 */
export const shownToo: ReadonlyMap<string, readonly string[]> = new Map([
  ['Palm_001', ['002']], // its right half, at the left
  ['Palm_002', ['003']], // the face, behind
  ['Palm_003', ['004', '005']], // the title of one, the credits at the edge of the other
  ['Palm_004', ['005', '007']], // half of one, the hand and the title of the other
  ['Palm_005', ['006', '007']], // a strip of green, the title
  ['Palm_006', ['007', '008']],
  ['Palm_007', ['008']],
  ['Palm_008', ['009', '010']],
  ['Palm_009', ['010']],
  ['Palm_015', ['016']], // on the pile at the upper left
  ['Palm_016', ['017', '018']],
  ['Palm_017', ['018']],
  ['Palm_022', ['023', '024']],
  ['Palm_023', ['024', '028', 'matrix_reloaded']], // the rounded corner of a banknote behind
  ['Palm_024', ['025', '028', 'matrix_reloaded']],
  ['Palm_025', ['026', '028', 'matrix_reloaded']],
  ['Palm_026', ['028', 'matrix_reloaded']],
  ['Palm_027', ['028', 'matrix_reloaded']], // its lower rim
  ['Palm_028', ['029']],
  ['Palm_029', ['030']],
  ['Palm_031', ['032']], // the red rim
  ['Palm_035', ['036']],
  ['Palm_037', ['038']],
  ['Palm_048', ['049', '050']],
  ['Palm_049', ['050']],
]);

/** The prints that a picture of the corpora shows, with those that have the same picture; none for pictures of other folders. */
export function printsShownIn(path: string): string[] {
  const [, folder, print] = /\/(posters|covers\/\w+)\/(\w+)\.\w+$/.exec(path) ?? [];
  if (!folder || !print) return [];
  if (folder === 'posters') return [print];
  const own = folder === 'covers/query' ? [print.split('_').at(-1)!, ...(shownToo.get(print) ?? [])] : [print];
  return own.flatMap((one) => {
    const { twin, relative } = otherPrints.get(one) ?? {};
    return [one, twin ?? [], relative ?? [], posters.get(one) ?? []].flat();
  });
}
