/** What the eye found in the corpus: covers that stand in it twice, the same print or another edition with the same picture. */
export const alikes = new Map<string, { readonly twin?: string; readonly relative?: string }>([
  ['014', { relative: 'et' }],
  ['028', { twin: 'matrix_reloaded' }],
  ['030', { relative: 'mission_impossible' }],
  ['033', { twin: 'my_big_fat_greek_wedding' }],
]);

/**
 * Some of the Palm's photographs show a pile: the next cover lies beside or under the one that is meant. A rule, not a
 * record: the next two are left out for all of its photographs, so what is counted without them is a lower bound.
 */
export const shownToo: ReadonlyMap<string, readonly string[]> = new Map(
  Array.from({ length: 50 }, (_, i) => {
    const number = (n: number): string => String(n).padStart(3, '0');
    const next = [number(i + 2), number(i + 3)];
    return [`Palm_${number(i + 1)}`, next.flatMap((name) => [name, ...[alikes.get(name)?.twin ?? []].flat()])];
  }),
);
