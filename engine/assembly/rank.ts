/**
 * The number that would be at a place, were they sorted. Changes their order.
 * C. A. R. Hoare, "Algorithm 65: find", Communications of the ACM 4(7), 1961.
 */
export function ranked<T extends number>(values: usize, count: i32, place: i32): T {
  const target = values + <usize>place * sizeof<T>();
  let first = values;
  let last = values + <usize>(count - 1) * sizeof<T>();
  while (first < last) {
    const pivot = load<T>(first + (((last - first) / sizeof<T>()) >> 1) * sizeof<T>());
    let i = first;
    let j = last;
    while (i <= j) {
      while (load<T>(i) < pivot) i += sizeof<T>();
      while (load<T>(j) > pivot) j -= sizeof<T>();
      if (i > j) break;
      const value = load<T>(i);
      store<T>(i, load<T>(j));
      store<T>(j, value);
      i += sizeof<T>();
      j -= sizeof<T>();
    }
    if (target <= j) last = j;
    else if (target >= i) first = i;
    else break;
  }
  return load<T>(target);
}
