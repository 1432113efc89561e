import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import { changeTone } from '#web/dashboard/change-tone.ts';
import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

interface StatCardProps {
  title: string;
  icon: LucideIcon;
  /** Absent while loading. */
  value: string | undefined;
  change: string | null;
  /** Stands under the value, for example who gave it. */
  note?: string | undefined;
}

const tones = {
  good: 'text-success',
  bad: 'text-destructive',
  neutral: 'text-muted-foreground',
};

export function StatCard({ title, icon: Icon, value, change, note }: StatCardProps) {
  return (
    <Card className="p-4 sm:p-5">
      <div className="flex items-start justify-between gap-2 text-muted-foreground">
        <h2 className="text-sm font-medium">{title}</h2>
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      </div>
      {value === undefined ? (
        <Skeleton className="mt-3 h-8 w-24" />
      ) : (
        <p className="mt-2 text-2xl font-semibold tracking-tight tabular-nums">{value}</p>
      )}
      {note && value !== undefined && <p className="mt-1 text-xs text-muted-foreground">{note}</p>}
      <p className={clsx('mt-1 min-h-4 text-xs', tones[changeTone(change ?? '')])}>{change}</p>
    </Card>
  );
}
