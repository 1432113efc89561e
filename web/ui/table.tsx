import { clsx } from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type MouseEvent, type ReactNode, useCallback, useState } from 'react';

export interface Column<Row> {
  title: string;
  /** The title is for screen readers only: the cells show an icon that needs no title. */
  titleHidden?: boolean;
  cell: (row: Row) => ReactNode;
  align?: 'end';
  /** Shrinks if there is little room: its content is cut off with an ellipsis. */
  yields?: boolean;
  /**
   * The cell's position in a stacked row: a line of its own, the upper corner, the end, or among
   * the others without its title. If absent, among the others with its title.
   */
  stacked?: 'line' | 'corner' | 'end' | 'bare';
  /** The order of the rows by this column, if they have it, and what its title does. */
  sort?: { direction: 'ascending' | 'descending' | undefined; onSort: () => void };
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Makes the rows scroll below their titles in a frame of this size. */
  frameClassName?: string;
  /** On a narrow width, each row becomes a small block (table.css). */
  stacks?: boolean;
  /** What a click on a row does. A link within the row does the same, for keyboards and screen readers. */
  onOpen?: (row: Row) => void;
}

const alignment = ({ align }: { align?: 'end' }) => (align === 'end' ? 'text-right' : 'text-left');

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, frameClassName, stacks = false, onOpen } = props;
  const [isTooWide, setTooWide] = useState(false);
  const watchWidth = useCallback((frame: HTMLDivElement) => {
    const look = new ResizeObserver(() => setTooWide(frame.scrollWidth > frame.clientWidth));
    look.observe(frame);
    return () => look.disconnect();
  }, []);
  const scrolls = frameClassName || isTooWide;
  // Some browsers drop the table semantics if it is shown as blocks.
  const role = (name: string) => (stacks ? { role: name } : {});
  return (
    <div
      ref={watchWidth}
      className={clsx('@container overflow-x-auto', frameClassName, stacks && 'stacks relative')}
      // A scrollable area must be reachable by keyboard.
      {...(scrolls ? { tabIndex: 0, role: 'region', 'aria-label': label } : {})}
    >
      <table aria-label={label} className="w-full text-sm" {...role('table')}>
        <thead
          {...role('rowgroup')}
          className={clsx(
            frameClassName && 'sticky top-0 z-10 bg-card shadow-[0_1px_var(--border)]',
          )}
        >
          <tr className="border-b text-xs text-muted-foreground" {...role('row')}>
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                {...role('columnheader')}
                {...(column.sort?.direction ? { 'aria-sort': column.sort.direction } : {})}
                className={clsx(
                  'px-2 py-2.5 font-medium first:pl-5 last:pr-5 @4xl:px-3',
                  alignment(column),
                )}
              >
                {column.titleHidden ? (
                  <span className="sr-only">{column.title}</span>
                ) : (
                  <ColumnTitle column={column} />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y" {...role('rowgroup')}>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className={clsx('hover:bg-muted/50', onOpen && 'cursor-pointer')}
              {...(onOpen && { onClick: (event) => isOfRow(event) && onOpen(row) })}
              {...role('row')}
            >
              {columns.map((column) => (
                <td
                  key={column.title}
                  {...role('cell')}
                  data-title={column.title}
                  data-stacked={column.stacked}
                  className={clsx(
                    'px-2 py-3 whitespace-nowrap first:pl-5 last:pr-5 @4xl:px-3',
                    alignment(column),
                    column.yields && '@max-4xl:w-full @max-4xl:max-w-0',
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

/** Whether a click is meant for the row: not for a control in it, nor the end of a selection of text. */
const isOfRow = ({ target, currentTarget }: MouseEvent<HTMLElement>) =>
  target instanceof Element &&
  target.closest('a, button, input, summary') === null &&
  currentTarget.contains(target) &&
  window.getSelection()?.isCollapsed !== false;

const arrows = { ascending: ArrowUp, descending: ArrowDown };

function ColumnTitle<Row>({ column: { title, sort } }: { column: Column<Row> }) {
  if (!sort) return title;
  const Arrow = sort.direction && arrows[sort.direction];
  return (
    <button
      type="button"
      onClick={sort.onSort}
      className="-m-1 inline-flex items-center gap-1 rounded p-1 hover:text-foreground"
    >
      {title}
      {Arrow && <Arrow aria-hidden className="size-3" />}
    </button>
  );
}
