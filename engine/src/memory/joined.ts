type Numbers = Uint8Array | Int8Array | Uint16Array | Uint32Array | Float32Array;

/** Arrays of one kind, one behind the other. */
export function joined<N extends Numbers>(parts: readonly N[]): N {
  const Kind = parts[0].constructor as new (length: number) => N;
  const all = new Kind(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
