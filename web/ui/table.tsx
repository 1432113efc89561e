import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  align?: 'end';
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  const aligned = ({ align }: Column<Row>) => (align === 'end' ? 'text-right' : 'text-left');
  return (
    <div className="overflow-x-auto">
      <table aria-label={label} className="w-full text-sm">
        <thead>
          <tr className="border-b text-xs text-muted-foreground">
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={clsx('px-3 py-2.5 font-medium first:pl-5 last:pr-5', aligned(column))}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((row) => (
            <tr key={keyOf(row)} className="hover:bg-muted/50">
              {columns.map((column) => (
                <td
                  key={column.title}
                  className={clsx(
                    'px-3 py-3 whitespace-nowrap first:pl-5 last:pr-5',
                    aligned(column),
                  )}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
