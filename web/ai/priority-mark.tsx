import { clsx } from 'clsx';
import type { Priority } from '#domain/ai/contract.ts';
import { t } from '#web/platform/texts.ts';

/** Spec section 9, Priority colors: high red, medium yellow, low green. */
const colors: Record<Priority, string> = {
  high: 'bg-red-600',
  medium: 'bg-yellow-500',
  low: 'bg-green-600',
};

/** A dot whose color has a text alternative. */
export function PriorityMark({ priority }: { priority: Priority }) {
  const name = t(`ai.coaching.priority.${priority}`);
  return (
    <span
      role="img"
      aria-label={name}
      title={name}
      data-priority={priority}
      className={clsx('mt-1.5 size-2 shrink-0 rounded-full', colors[priority])}
    />
  );
}
