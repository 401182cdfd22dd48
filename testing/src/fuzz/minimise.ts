/**
 * A smaller input that fails as well, or the same one: pieces are left out, from halves to single bytes (A. Zeller and
 * R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 28(2), 2002), then bytes are set to zero.
 * @param fails  whether an input has the same fault; called `attempts` times at most
 */
export async function minimise(
  input: Uint8Array,
  fails: (input: Uint8Array) => Promise<boolean>,
  attempts: number,
): Promise<Uint8Array> {
  let smallest = input;
  let left = attempts;
  const attempt = async (candidate: Uint8Array): Promise<boolean> => {
    if (left-- <= 0 || !(await fails(candidate))) return false;
    smallest = candidate;
    return true;
  };

  for (let size = Math.ceil(input.length / 2); size >= 1 && left > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < smallest.length && left > 0;) {
      const shorter = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)]);
      if (!(await attempt(shorter))) at += size;
    }
  }
  for (let at = 0; at < smallest.length && left > 0; at++) {
    if (smallest[at] === 0) continue;
    const plainer = Uint8Array.from(smallest);
    plainer[at] = 0;
    await attempt(plainer);
  }
  return smallest;
}
