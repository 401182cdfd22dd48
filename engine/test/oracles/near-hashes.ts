/** Twin of assembly/near-hashes.ts on hexadecimal texts: the ones in the difference of two numbers, then sorted. */
export function nearHashes(hashes: string[], query: string, most: number): { place: number; distance: number }[] {
  return hashes
    .map((hash, place) => ({ place, distance: distance(hash, query) }))
    .filter((each) => each.distance <= most)
    .sort((a, b) => a.distance - b.distance || a.place - b.place);
}

function distance(one: string, two: string): number {
  return (BigInt(`0x${one}`) ^ BigInt(`0x${two}`)).toString(2).replaceAll('0', '').length;
}
