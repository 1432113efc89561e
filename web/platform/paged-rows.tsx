import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import type { usePagesOf } from '#web/platform/pages-of.ts';
import { LoadMore } from '#web/ui/load-more.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';

interface PagedRowsProps<Row> {
  pages: Omit<ReturnType<typeof usePagesOf>, 'rows'> & { rows: Row[][] | undefined };
  loading?: ReactNode;
  empty: ReactNode;
  texts: { loadMore: string; loadingMore: string };
  /** Shows the rows loaded so far; there is at least one. */
  children: (rows: Row[]) => ReactNode;
}

/** The rows of a paged list, with its failed, loading, and empty states, and the button for more. */
export function PagedRows<Row>({
  pages,
  loading = <RowsSkeleton rows={3} />,
  empty,
  texts,
  children,
}: PagedRowsProps<Row>) {
  const { rows, error, retry, isOutdated, ...further } = pages;
  if (error) return <LoadFailed error={error} onRetry={retry} />;
  if (!rows) return loading;
  const found = rows.flat();
  if (found.length === 0) return empty;
  return (
    <div aria-busy={isOutdated} className={clsx(isOutdated && 'opacity-60')}>
      {children(found)}
      <LoadMore label={texts.loadMore} pendingLabel={texts.loadingMore} {...further} />
    </div>
  );
}
