import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export type BadgeLook = 'default' | 'secondary' | 'destructive' | 'outline' | 'success';

const looks: Record<BadgeLook, string> = {
  default: 'bg-brand text-brand-text inset-ring inset-ring-brand-edge',
  secondary: 'bg-muted text-foreground',
  destructive: 'bg-destructive text-destructive-text',
  outline: 'border text-muted-foreground',
  success: 'bg-success/12 text-success',
};

export function Badge({ look = 'default', children }: { look?: BadgeLook; children: ReactNode }) {
  return (
    <span
      data-look={look}
      className={clsx(
        'inline-flex h-5.5 items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap tabular-nums',
        looks[look],
      )}
    >
      {children}
    </span>
  );
}
