import { useState } from 'preact/hooks';
import { whole } from './figures.ts';
import { useWidth } from './width.ts';

export interface Series {
  readonly name: string;
  /** The colour of its bars. */
  readonly tone: string;
  readonly values: readonly number[];
}

interface ChartProps {
  readonly title: string;
  /** All of the same length; the bars of one time are stacked. */
  readonly series: readonly Series[];
  /** The time of each value, as a label. */
  readonly at: (index: number) => string;
  readonly format?: (value: number) => string;
  readonly height?: number;
  /** Whether sums over time mean something. */
  readonly sum?: boolean;
}

/** Pixels of a character of a label, at most. */
const CHARACTER = 8;
const BELOW = 22;

/** Stacked bars over time. The bar under the pointer shows its numbers; screen readers get the sums. */
export function Chart({ title, series, at, format = whole, height = 180, sum = true }: ChartProps) {
  const { holder, width } = useWidth(160);
  const [over, setOver] = useState<number>();

  const bars = series[0]!.values.length;
  const sumAt = (index: number): number => series.reduce((sum, { values }) => sum + values[index]!, 0);
  const top = niceTop(Math.max(...Array.from({ length: bars }, (_, i) => sumAt(i))));
  const rules = [0, top / 2, top];
  const left = 12 + CHARACTER * Math.max(3, ...rules.map((value) => format(value).length));
  const step = (width - left) / bars;
  const plot = height - BELOW;
  const y = (value: number): number => plot - (value / top) * (plot - 8);
  const every = Math.max(1, Math.ceil(bars / Math.max(2, Math.floor((width - left) / 90))));
  const labels = Array.from({ length: bars }, (_, i) => i).filter((i) => (bars - 1 - i) % every === 0);
  const summary = series.map(({ name, values }) =>
    sum ? `${name} ${format(values.reduce((a, b) => a + b, 0))}` : `${name} at most ${format(Math.max(...values))}`,
  );
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong>
        <span class="chart-legend">
          {over === undefined ? null : <span class="soft">{at(over)}</span>}
          {series.map(({ name, tone, values }) => (
            <span key={name}>
              <i class="swatch-dot" style={{ background: tone }} />
              {name}
              {over === undefined ? '' : ` ${format(values[over]!)}`}
            </span>
          ))}
        </span>
      </figcaption>
      <div ref={holder}>
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={`${title}: ${summary.join(', ')}`}
          onPointerMove={({ offsetX }) =>
            setOver(offsetX < left ? undefined : Math.min(bars - 1, Math.floor((offsetX - left) / step)))
          }
          onPointerLeave={() => setOver(undefined)}
        >
          {rules.map((value) => (
            <g key={value} class="rule">
              <line x1={left} x2={width} y1={y(value)} y2={y(value)} />
              <text x={left - 8} y={y(value) + 4} text-anchor="end">
                {format(value)}
              </text>
            </g>
          ))}
          {over !== undefined && <rect class="over" x={left + over * step} y={0} width={step} height={plot} />}
          <Bars series={series} left={left} step={step} y={y} />
          {labels.map((i) => (
            <text key={i} x={left + (i + 0.5) * step} y={height - 5} text-anchor={i === bars - 1 ? 'end' : 'middle'}>
              {at(i)}
            </text>
          ))}
        </svg>
      </div>
    </figure>
  );
}

interface BarsProps {
  readonly series: readonly Series[];
  readonly left: number;
  /** Pixels from one time to the next. */
  readonly step: number;
  readonly y: (value: number) => number;
}

function Bars({ series, left, step, y }: BarsProps) {
  return series[0]!.values.map((_, i) => {
    let below = 0;
    return series.map(({ name, tone, values }) => {
      if (values[i] === 0) return null;
      const [from, to] = [y(below), y((below += values[i]!))];
      const tall = Math.max(1.5, from - to);
      return (
        <rect
          key={`${name} ${i}`}
          fill={tone}
          x={left + i * step + step * 0.1}
          y={from - tall}
          width={Math.max(1, step * 0.8)}
          height={tall}
        />
      );
    });
  });
}

/** The next of 2, 4, 10, 20, 40, 100, …, whose half is a whole number too. */
function niceTop(most: number): number {
  let top = 2;
  for (let i = 0; top < most; i++) top = [4, 10, 20][i % 3]! * 10 ** Math.floor(i / 3);
  return top;
}
