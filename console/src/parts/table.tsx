import type { ComponentChildren } from 'preact';

interface TableProps<Row> {
  readonly label: string;
  /** Whether the cells of a row lie below each other on narrow screens, else the table scrolls. */
  readonly stacks?: boolean;
  /** Whether it lies on a surface. */
  readonly surface?: boolean;
  /** Without one there is no table. */
  readonly rows: readonly Row[] | undefined;
  /** The wide column takes the rest of the width. A named one shows its title where rows are stacked. */
  readonly columns: readonly (readonly [
    title: string,
    cell: (row: Row, index: number) => ComponentChildren,
    form?: 'wide' | 'named',
  ])[];
}

export function Table<Row>({ label, stacks = false, surface = false, rows = [], columns }: TableProps<Row>) {
  if (rows.length === 0) return null;
  const table = (
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
  return surface ? <section class="surface">{table}</section> : table;
}
