import type { ComponentChildren } from 'preact';

interface TableProps<Row> {
  readonly label: string;
  /** A class for its form on narrow screens. */
  readonly kind?: string;
  readonly rows: readonly Row[];
  /** The wide column takes the rest of the width. */
  readonly columns: readonly (readonly [
    title: string,
    cell: (row: Row, index: number) => ComponentChildren,
    wide?: 'wide',
  ])[];
}

/** A table that scrolls across where it is wider than its place. */
export function Table<Row>({ label, kind, rows, columns }: TableProps<Row>) {
  return (
    <div class="table-holder" tabIndex={0} role="region" aria-label={label}>
      <table class={kind}>
        <thead>
          <tr>
            {columns.map(([title]) => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {columns.map(([title, cell, wide]) => (
                <td key={title} class={wide} data-name={title}>
                  {cell(row, i)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
