/** How often each multiple of a file's own steps occurs among its coefficients of a few frequencies. Empty for a file that is no JPEG. */
export interface JpegMultiples {
  /** Of these frequencies. */
  readonly steps: readonly number[];
  /** For each step the counts of 0 to 24 times it, of either sign, in base64: a byte is four times a square root. */
  readonly counts: string;
}

/** Multiples of each step, 0 among them. */
const MULTIPLES = 25;
const ROOT_UNIT = 4;
/** Where the frequency is that a transposed picture has in the place of each: one of columns changes with the one of rows. */
const TRANSPOSED = [1, 0, 2, 4, 3];
/** Half the width of a triangle that the loss of pixels, which are whole numbers, spreads a coefficient over; toned ones lose twice. */
const SPREAD = { same: 1, toned: 1.3 };
/** A step by that of the other file, from which on its multiples show in the finer file. */
const MIN_COARSER = 1.08;
/** Fewest coefficients that compare a multiple, and fewest multiples that say something. */
const MIN_COEFFICIENTS = 8;
const MIN_COMPARED = 3;
/**
 * Mean squared deviation, by what chance explains, up to which a file shows the multiples of another; its share of that of counts beside
 * one another below which that is sure; most that one multiple adds.
 */
const DEVIATIONS = { max: 3.2, sureShare: 0.7, ofOne: 20 };
/** Gains around the given one that are tried. */
const GAINS = { count: 7, step: 0.005 };
/** A gain from 1 by no more is none. */
const MIN_TONED = 0.02;

/** @param coefficients  a list for each step */
export function multiplesOf(coefficients: readonly Float32Array[], steps: readonly number[]): JpegMultiples {
  const codes = coefficients.map((values, i) => {
    const counts = new Float64Array(MULTIPLES);
    for (let at = 0; at < values.length; at++) {
      const multiple = Math.round(Math.abs(values[at] / steps[i]));
      if (multiple < MULTIPLES) counts[multiple]++;
    }
    return String.fromCharCode(...counts.map((count) => Math.min(255, Math.round(ROOT_UNIT * Math.sqrt(count)))));
  });
  return { steps, counts: btoa(codes.join('')) };
}

/**
 * Which of two files was saved from the other: the finer one has the multiples of the coarser one's steps then, and otherwise has not.
 * Both show the same pixels, but for their light.
 *
 * After T. Pevný, J. Fridrich, "Detection of double-compression in JPEG images for applications in steganography", 2008, who
 * know one file alone.
 * @param gain  contrast of the first by that of the other
 * @returns by how many multiples: above 0 where the first was saved from the other, below where the other was from it
 */
export function savedFrom(one: JpegMultiples, other: JpegMultiples, gain: number): number {
  const [first, second] = [countedOf(one), countedOf(other)];
  const middle = (GAINS.count - 1) / 2;
  const gains =
    Math.abs(gain - 1) < MIN_TONED
      ? [1]
      : Array.from({ length: GAINS.count }, (_, i) => gain * (1 + GAINS.step * (i - middle)));
  return (
    shows(gains.map((each) => fitOf(first, second, each))) - shows(gains.map((each) => fitOf(second, first, 1 / each)))
  );
}

/** What the file of the transposed picture has. The frequencies are those of `jpegHistory`. */
export function transposed({ steps, counts }: JpegMultiples): JpegMultiples {
  const places = TRANSPOSED.filter((place) => place < steps.length);
  const codes = atob(counts);
  const lists = places.map((place) => codes.slice(MULTIPLES * place, MULTIPLES * (place + 1)));
  return { steps: places.map((place) => steps[place]), counts: btoa(lists.join('')) };
}

interface Counted {
  readonly steps: readonly number[];
  readonly counts: readonly Float64Array[];
}

function countedOf({ steps, counts }: JpegMultiples): Counted {
  const roots = Float64Array.from(atob(counts), (code) => code.charCodeAt(0) / ROOT_UNIT);
  const all = roots.map((root) => root * root);
  return { steps, counts: steps.map((_, i) => all.subarray(MULTIPLES * i, MULTIPLES * (i + 1))) };
}

/** How well the counts of the finer file follow from those of the coarser one, and from those beside them. */
interface Fit {
  readonly compared: number;
  /** Mean squared deviations, by what chance explains. */
  readonly predicted: number;
  readonly smooth: number;
}

function shows(fits: readonly Fit[]): number {
  const { compared, predicted, smooth } = fits.reduce((best, fit) => (fit.predicted < best.predicted ? fit : best));
  if (compared < MIN_COMPARED) return 0;
  if (predicted >= Math.min(DEVIATIONS.max, smooth)) return -compared;
  return predicted < DEVIATIONS.sureShare * smooth ? compared : 0;
}

/** Of those frequencies where the first file is the finer one. */
function fitOf(finer: Counted, coarser: Counted, gain: number): Fit {
  let [compared, predicted, smooth] = [0, 0, 0];
  for (const [i, counts] of finer.counts.entries()) {
    const ratio = (coarser.steps[i] * gain) / finer.steps[i];
    if (!(ratio >= MIN_COARSER)) continue;
    const spread = gain === 1 ? SPREAD.same : SPREAD.toned;
    const expected = spreadOf(coarser.counts[i], ratio, spread / finer.steps[i]);
    for (let k = 2; k < MULTIPLES - 1; k++) {
      const beside = (counts[k - 1] + counts[k + 1]) / 2;
      if (counts[k] + beside + expected[k] < MIN_COEFFICIENTS) continue;
      compared++;
      predicted += deviation(counts[k] - expected[k], counts[k] + expected[k] + 1);
      smooth += deviation(counts[k] - beside, counts[k] + beside / 2 + 1);
    }
  }
  return { compared, predicted: predicted / compared, smooth: smooth / compared };
}

function deviation(difference: number, variance: number): number {
  return Math.min(DEVIATIONS.ofOne, (difference * difference) / variance);
}

/** The counts that multiples of one step give in steps of another. @param width  half the width of the triangle */
function spreadOf(counts: Float64Array, ratio: number, width: number): Float64Array {
  const spread = new Float64Array(MULTIPLES);
  for (const [n, count] of counts.entries()) {
    const place = n * ratio;
    const last = Math.min(MULTIPLES - 1, Math.round(place + width));
    for (let k = Math.max(0, Math.round(place - width)); k <= last; k++) {
      const share = below((k + 0.5 - place) / width) - below((k - 0.5 - place) / width);
      spread[k] += count * share * (n === 0 && k > 0 ? 2 : 1); // of either sign
    }
  }
  return spread;
}

/** The share of a triangle from -1 to 1 that lies below a place. */
function below(place: number): number {
  const rest = Math.max(0, 1 - Math.abs(place));
  return place < 0 ? (rest * rest) / 2 : 1 - (rest * rest) / 2;
}
