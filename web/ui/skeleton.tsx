import { clsx } from 'clsx';

/** A grey shape where content will be. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={clsx('animate-pulse rounded-md bg-muted', className)} />;
}
