import { CalendarClock, UserRound } from 'lucide-react';
import type { ActionItem } from '#domain/ai/contract.ts';
import { dueDate } from '#web/ai/due-date.ts';
import { ownerName } from '#web/ai/owner-name.ts';
import { PriorityMark } from '#web/ai/priority-mark.tsx';
import { t } from '#web/platform/texts.ts';

/** The action items: who promised what, by when, and in which words. */
export function ActionItemList({ items }: { items: readonly ActionItem[] }) {
  if (items.length === 0)
    return <p className="text-sm text-muted-foreground">{t('ai.actionItems.none')}</p>;
  return (
    <ul className="grid gap-2">
      {items.map((item) => (
        <li
          key={`${item.title} ${item.description}`}
          className="flex gap-2.5 rounded-lg border p-3"
        >
          <PriorityMark priority={item.priority} />
          <div className="grid min-w-0 gap-1.5">
            <p className="text-sm leading-snug font-medium break-words">{item.title}</p>
            <blockquote className="border-l-2 pl-2 text-xs break-words text-muted-foreground">
              {item.description}
            </blockquote>
            <p className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted-foreground">
              {item.owner && (
                <span className="flex items-center gap-1">
                  <UserRound aria-hidden className="size-3.5" />
                  {ownerName(item.owner)}
                </span>
              )}
              {(item.dueOn ?? item.due) && (
                <span className="flex items-center gap-1">
                  <CalendarClock aria-hidden className="size-3.5" />
                  {item.dueOn ? dueDate(item.dueOn) : item.due}
                </span>
              )}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
