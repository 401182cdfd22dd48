type Complex = readonly [re: ArrayLike<number>, im: ArrayLike<number>];

/** The Fourier transform of `n` × `n` complex numbers by its definition, with rows and columns exchanged. */
export function fourier(re: ArrayLike<number>, im: ArrayLike<number>, n: number): Complex {
  return rowsOf(exchanged(rowsOf([re, im], n), n), n);
}

/** The transform of each row. */
function rowsOf([re, im]: Complex, n: number): Complex {
  const [outRe, outIm] = [new Float64Array(n * n), new Float64Array(n * n)];
  for (let y = 0; y < n; y++)
    for (let k = 0; k < n; k++)
      for (let x = 0; x < n; x++) {
        const angle = (-2 * Math.PI * ((k * x) % n)) / n;
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        outRe[n * y + k] += re[n * y + x] * cos - im[n * y + x] * sin;
        outIm[n * y + k] += re[n * y + x] * sin + im[n * y + x] * cos;
      }
  return [outRe, outIm];
}

function exchanged([re, im]: Complex, n: number): Complex {
  const of = (part: ArrayLike<number>) => Float64Array.from(part, (_, i) => part[n * (i % n) + Math.floor(i / n)]);
  return [of(re), of(im)];
}
