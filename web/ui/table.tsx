import { clsx } from 'clsx';
import { type ReactNode, useCallback, useState } from 'react';

export interface Column<Row> {
  title: string;
  /** Named for screen readers only: its cells show an icon that speaks for itself. */
  titleHidden?: boolean;
  cell: (row: Row) => ReactNode;
  align?: 'end';
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Makes the rows scroll below their titles in a frame of these measures. */
  frameClassName?: string;
}

export function Table<Row>({ label, columns, rows, keyOf, frameClassName }: TableProps<Row>) {
  const aligned = ({ align }: Column<Row>) => (align === 'end' ? 'text-right' : 'text-left');
  const [isTooWide, setTooWide] = useState(false);
  const watchWidth = useCallback((frame: HTMLDivElement) => {
    const look = new ResizeObserver(() => setTooWide(frame.scrollWidth > frame.clientWidth));
    look.observe(frame);
    return () => look.disconnect();
  }, []);
  const scrolls = frameClassName || isTooWide;
  return (
    <div
      ref={watchWidth}
      className={clsx('overflow-x-auto', frameClassName)}
      // What scrolls is reached by the keyboard as well.
      {...(scrolls ? { tabIndex: 0, role: 'region', 'aria-label': label } : {})}
    >
      <table aria-label={label} className="w-full text-sm">
        <thead
          className={clsx(
            frameClassName && 'sticky top-0 z-10 bg-card shadow-[0_1px_var(--border)]',
          )}
        >
          <tr className="border-b text-xs text-muted-foreground">
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={clsx('px-3 py-2.5 font-medium first:pl-5 last:pr-5', aligned(column))}
              >
                {column.titleHidden ? (
                  <span className="sr-only">{column.title}</span>
                ) : (
                  column.title
                )}
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
