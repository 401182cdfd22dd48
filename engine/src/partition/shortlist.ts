const BINS = 4096;

/**
 * Places of the `limit` highest of a list of votes and of all further ones that equal the last, highest first, ties by place.
 * @param votes  integers; places with 0 are never listed
 */
export function mostVoted(votes: Uint32Array, limit: number): Uint32Array {
  let [most, voted] = [0, 0];
  for (let i = 0; i < votes.length; i++) {
    if (votes[i] > most) most = votes[i];
    if (votes[i] > 0) voted++;
  }
  const binOf = (vote: number): number => Math.floor((vote * (BINS - 1)) / most);
  const counts = new Uint32Array(BINS);
  for (let i = 0; i < votes.length; i++) if (votes[i] > 0) counts[binOf(votes[i])]++;
  const wanted = Math.min(limit, voted);
  if (wanted === 0) return new Uint32Array(0);
  let [bin, held] = [BINS, 0];
  while (held < wanted) held += counts[--bin];
  const places = new Uint32Array(held);
  for (let i = 0, k = 0; k < held; i++) if (votes[i] > 0 && binOf(votes[i]) >= bin) places[k++] = i;
  places.sort((a, b) => votes[b] - votes[a] || a - b);
  let end = wanted;
  while (end < held && votes[places[end]] === votes[places[end - 1]]) end++;
  return places.slice(0, end);
}
