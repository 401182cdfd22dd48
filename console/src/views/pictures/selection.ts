/** A set of chosen pictures; a click with the shift key extends it from the last one. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** The index of the last choice, from which a range extends. */
  readonly anchor: number | undefined;
}

export const nothing: Selection = { ids: new Set(), anchor: undefined };

/** @param idAt  undefined for a picture that is not fetched yet, which is left out */
export function toggled(
  { ids, anchor }: Selection,
  index: number,
  range: boolean,
  idAt: (index: number) => string | undefined,
): Selection {
  const next = new Set(ids);
  if (range && anchor !== undefined) {
    for (let i = Math.min(anchor, index); i <= Math.max(anchor, index); i++) {
      const id = idAt(i);
      if (id !== undefined) next.add(id);
    }
  } else {
    const id = idAt(index)!;
    if (!next.delete(id)) next.add(id);
  }
  return { ids: next, anchor: index };
}
