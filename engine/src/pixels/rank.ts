/**
 * The number that would be at a place, were they sorted. Changes their order.
 *
 * A sort takes ten times as long.
 * C. A. R. Hoare, "Algorithm 65: find", Communications of the ACM 4(7), 1961.
 * @param values  none NaN
 * @param place   of one of them
 */
export function ranked(values: Float32Array | Float64Array, place: number): number {
  let [first, last] = [0, values.length - 1];
  while (first < last) {
    const pivot = values[(first + last) >> 1];
    let i = first;
    let j = last;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      const value = values[i];
      values[i++] = values[j];
      values[j--] = value;
    }
    if (place <= j) last = j;
    else if (place >= i) first = i;
    else break;
  }
  return values[place];
}
