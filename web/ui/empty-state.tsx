import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  /** A heading where the state stands for the whole page. */
  title: ReactNode;
  text?: string;
  action?: ReactNode;
}

/** Shown instead of an empty list: why it is empty, and what to do next. */
export function EmptyState({ icon: Icon, title, text, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-3 px-6 py-14 text-center">
      <Picture icon={Icon} />
      <div className="grid gap-1">
        <div className="text-sm font-semibold">{title}</div>
        {text && <p className="max-w-sm text-sm text-balance text-muted-foreground">{text}</p>}
      </div>
      {action}
    </div>
  );
}

/** The icon on the front one of three cards, fanned out. */
function Picture({ icon: Icon }: Pick<EmptyStateProps, 'icon'>) {
  const behind = 'absolute inset-0 rounded-xl border bg-card';
  return (
    <span aria-hidden className="relative mb-2 block h-14 w-18">
      <span className={`${behind} origin-bottom -translate-x-1.5 -rotate-8 opacity-60`} />
      <span className={`${behind} origin-bottom translate-x-1.5 rotate-8 opacity-60`} />
      <span className={`${behind} grid place-items-center shadow-sm`}>
        <Icon className="size-6 text-brand-ink" />
        <span className="absolute inset-x-4 bottom-2.5 h-1 rounded-full bg-muted" />
      </span>
    </span>
  );
}
