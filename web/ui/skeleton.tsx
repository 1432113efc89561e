import { clsx } from 'clsx';

/** A grey placeholder for content that is loading. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={clsx('animate-pulse rounded-md bg-muted', className)} />;
}

/** Grey rows, in place of those of a list or a table that is loading. */
export function RowsSkeleton({ rows }: { rows: number }) {
  return Array.from({ length: rows }, (_, at) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
      key={at}
      className="flex items-center gap-6 border-b px-5 py-3.5 last:border-0"
    >
      <Skeleton className="h-8 flex-1" />
      <Skeleton className="h-5 w-16" />
    </div>
  ));
}
