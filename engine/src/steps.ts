/** Work in small pieces: `next()` does one, so that its caller may do something else between two of them. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all pieces at once. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
