import type { ReactNode } from 'react';
import { Skeleton } from '#web/ui/skeleton.tsx';

export function CardGrid({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20.75rem),1fr))] gap-4">
      {children}
    </div>
  );
}

export function CardGridSkeleton({ label }: { label: string }) {
  return (
    <CardGrid>
      <span role="status" className="sr-only">
        {label}
      </span>
      <Skeleton className="h-40 rounded-xl" />
      <Skeleton className="h-40 rounded-xl" />
      <Skeleton className="h-40 rounded-xl" />
    </CardGrid>
  );
}
