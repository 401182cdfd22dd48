import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualGridProps {
  readonly label: string;
  readonly count: number;
  /** Pixels: the minimum width of a cell (Infinity for one column), and the height of every cell with its gap. */
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** Must contain a button or a link, which takes the focus. */
  readonly cell: (index: number) => ComponentChildren;
  /** Called with the visible range, from the first cell to behind the last, so that its content can be fetched. */
  readonly onSight?: (first: number, end: number) => void;
}

const GAP = 12;
/** Rows rendered above and below the visible ones. */
const SPARE = 3;

/**
 * Any number of cells in rows, of which only the visible ones are in the page. It scrolls with the page. The arrows,
 * Home and End move between cells.
 */
export function VirtualGrid({ label, count, cellWidth, cellHeight, cell, onSight }: VirtualGridProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { columns, rows } = useRowsInSight(frame, cellWidth, cellHeight, count);
  const [active, setActive] = useState(0);
  const toFocus = useRef<number>();

  const first = Math.min(rows.first * columns, count);
  const end = Math.min(rows.end * columns, count);
  useEffect(() => onSight?.(first, end), [first, end, onSight]);

  useLayoutEffect(() => {
    if (toFocus.current === undefined) return;
    const wanted = frame.current!.querySelector<HTMLElement>(`[data-index="${toFocus.current}"] :is(a, button)`);
    if (!wanted) return;
    toFocus.current = undefined;
    wanted.focus();
  });

  const move = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: columns,
      ArrowUp: -columns,
      Home: -active,
      End: count - 1 - active,
    };
    const step = steps[event.key];
    if (step === undefined || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    const next = Math.min(Math.max(active + step, 0), count - 1);
    setActive(next);
    toFocus.current = next;
    const { top } = frame.current!.getBoundingClientRect();
    const place = top + Math.floor(next / columns) * cellHeight;
    if (place < 80) scrollBy(0, place - 80);
    else if (place + cellHeight > innerHeight) scrollBy(0, place + cellHeight - innerHeight + 8);
  };

  const style = { height: `${Math.ceil(count / columns) * cellHeight}px` };
  const width = `calc((100% - ${(columns - 1) * GAP}px) / ${columns})`;
  return (
    <div ref={frame} class="grid" role="list" aria-label={label} style={style} onKeyDown={move}>
      {Array.from({ length: end - first }, (_, i) => first + i).map((index) => (
        <div
          key={index}
          role="listitem"
          class="cell"
          data-index={index}
          aria-setsize={count}
          aria-posinset={index + 1}
          onFocusIn={() => setActive(index)}
          style={{
            width,
            height: `${cellHeight - GAP}px`,
            top: `${Math.floor(index / columns) * cellHeight}px`,
            left: `calc(${index % columns} * (${width} + ${GAP}px))`,
          }}
        >
          {cell(index)}
        </div>
      ))}
    </div>
  );
}

/** The columns that fit, and the rows of the window with the spare ones, followed as it scrolls and changes its size. */
function useRowsInSight(frame: RefObject<HTMLDivElement>, cellWidth: number, cellHeight: number, count: number) {
  const [columns, setColumns] = useState(1);
  const [rows, setRows] = useState({ first: 0, end: 12 });
  useLayoutEffect(() => {
    const element = frame.current!;
    const look = (): void => {
      const { top, width } = element.getBoundingClientRect();
      setColumns(Math.max(1, Math.floor((width + GAP) / (cellWidth + GAP))));
      const first = Math.max(0, Math.floor(-top / cellHeight) - SPARE);
      const end = Math.max(0, Math.ceil((innerHeight - top) / cellHeight) + SPARE);
      setRows((before) => (before.first === first && before.end === end ? before : { first, end }));
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(element);
    resized.observe(document.documentElement);
    addEventListener('scroll', look, { passive: true });
    return () => {
      resized.disconnect();
      removeEventListener('scroll', look);
    };
  }, [cellWidth, cellHeight, count]);
  return { columns, rows };
}
