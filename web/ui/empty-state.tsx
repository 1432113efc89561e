import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  text?: string;
  action?: ReactNode;
}

/** Shown instead of an empty list: why it is empty, and what to do next. */
export function EmptyState({ icon: Icon, title, text, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-3 px-6 py-14 text-center">
      <span className="grid size-11 place-items-center rounded-xl bg-muted text-muted-foreground">
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="grid gap-1">
        <p className="text-sm font-semibold">{title}</p>
        {text && <p className="max-w-sm text-sm text-balance text-muted-foreground">{text}</p>}
      </div>
      {action}
    </div>
  );
}
