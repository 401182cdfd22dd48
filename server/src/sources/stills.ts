/** Samples of a second of film. */
export const SAMPLES_PER_SECOND = 4;
/** Pixels of a sample along each side. */
export const SAMPLE_SIDE = 32;

/** Correlation with the last still below which the picture has changed. */
const CHANGED = 0.85;
/** Correlation of a sample with the next one from which on the picture rests. */
const AT_REST = 0.96;
/** Samples that a changed picture may move for before it is kept as it is. */
const PATIENCE = 4;
/** Samples between two stills at most. */
const MAX_GAP_SAMPLES = 10 * SAMPLES_PER_SECOND;
/** Standard deviation of grey values below which a sample shows nothing. */
const BLANK = 4;
/** Stills before it that a still is compared with. */
const MAX_COMPARED_STILLS = 30;

/** Stills of an hour at most: 20 MB on disk, of 42 KB each. */
export const STILLS_PER_HOUR = 470;
/** As many stills a shorter film may have. */
export const FEWEST_STILLS = 20;

/** A sample without its brightness and contrast: of mean 0 and length 1. */
type Shape = Float32Array;

/** Chooses the stills of a film by its samples: where the picture has changed and rests, and after a while. */
export class Stills {
  readonly #found: { readonly at: number; readonly likeness: number }[] = [];
  /** Of the last stills. */
  readonly #recent: Shape[] = [];
  /** Of the last sample, unless that shows nothing. */
  #last: Shape | undefined;
  #samples = 0;
  /** Samples since the picture has changed. */
  #changed = 0;

  /** @param sample  the next one: grey, a byte for each pixel */
  add(sample: Uint8Array): void {
    const [shape, next] = [this.#last, shapeOf(sample)];
    const at = this.#samples++ - 1;
    this.#last = next;
    if (!shape) return;
    const kept = this.#recent.at(-1);
    const isChanged = !kept || correlation(shape, kept) < CHANGED;
    this.#changed = isChanged ? this.#changed + 1 : 0;
    const isAtRest = next !== undefined && correlation(shape, next) >= AT_REST;
    const isDue = isChanged ? isAtRest || this.#changed > PATIENCE : at - this.#found.at(-1)!.at >= MAX_GAP_SAMPLES;
    if (isDue) this.#keep(shape, at);
  }

  /** Their times in seconds. Where a film has too many, those are left out that resemble one of the stills before them most. */
  chosen(): number[] {
    if (this.#samples === 1 && this.#last) this.#keep(this.#last, 0);
    const hours = this.#samples / SAMPLES_PER_SECOND / 3600;
    const most = Math.max(FEWEST_STILLS, Math.floor(hours * STILLS_PER_HOUR));
    const chosen = this.#found.toSorted((a, b) => a.likeness - b.likeness).slice(0, most);
    return chosen.map(({ at }) => at / SAMPLES_PER_SECOND).sort((a, b) => a - b);
  }

  #keep(shape: Shape, at: number): void {
    const likeness = Math.max(-1, ...this.#recent.map((each) => correlation(shape, each)));
    this.#found.push({ at, likeness });
    this.#recent.push(shape);
    if (this.#recent.length > MAX_COMPARED_STILLS) this.#recent.shift();
    this.#changed = 0;
  }
}

function shapeOf(sample: Uint8Array): Shape | undefined {
  let sum = 0;
  for (const value of sample) sum += value;
  const shape = new Float32Array(sample);
  for (let i = 0; i < shape.length; i++) shape[i]! -= sum / sample.length;
  const length = Math.sqrt(correlation(shape, shape));
  if (length < BLANK * Math.sqrt(sample.length)) return undefined;
  for (let i = 0; i < shape.length; i++) shape[i]! /= length;
  return shape;
}

function correlation(a: Shape, b: Shape): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
