import type { ComponentChildren } from 'preact';

interface TableProps<Row> {
  readonly label: string;
  /** Whether the cells of a row lie below each other on narrow screens, else the table scrolls. */
  readonly stacks?: boolean;
  readonly rows: readonly Row[];
  /** The wide column takes the rest of the width. A named one shows its title where rows are stacked. */
  readonly columns: readonly (readonly [
    title: string,
    cell: (row: Row, index: number) => ComponentChildren,
    form?: 'wide' | 'named',
  ])[];
}

export function Table<Row>({ label, stacks = false, rows, columns }: TableProps<Row>) {
  return (
    <div class="table-holder" tabIndex={0} role="region" aria-label={label}>
      <table class={stacks ? 'stacks' : undefined}>
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
              {columns.map(([title, cell, form]) => (
                <td key={title} class={form} data-name={title}>
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
