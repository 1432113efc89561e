import { clsx } from 'clsx';
import { CalendarClock, Pencil, Trash2, UserRound } from 'lucide-react';
import type { StoredActionItem } from '#domain/action-items/contract.ts';
import { useDeleteActionItem, useUpdateActionItem } from '#web/action-items/queries.ts';
import { dueDate } from '#web/ai/due-date.ts';
import { ownerName } from '#web/ai/owner-name.ts';
import { PriorityMark } from '#web/ai/priority-mark.tsx';
import { CitationLink } from '#web/insights/citation-link.tsx';
import { t } from '#web/platform/texts.ts';
import { Menu } from '#web/ui/menu.tsx';

interface ActionItemRowProps {
  item: StoredActionItem;
  /** Absent for people who may only read. */
  onEdit?: () => void;
}

/** An action item: who promised what, by when, and in which words. */
export function ActionItemRow({ item, onEdit }: ActionItemRowProps) {
  const update = useUpdateActionItem(item);
  // The tick shows at once; a failure takes it back with the toast.
  const isDone = update.isPending
    ? update.variables?.isCompleted === true
    : item.completedAt !== null;
  return (
    <li className="group flex gap-2.5 rounded-lg border p-3">
      <input
        type="checkbox"
        checked={isDone}
        disabled={!onEdit || update.isPending}
        onChange={({ target }) => update.mutate({ isCompleted: target.checked })}
        aria-label={t('ai.actionItems.complete', { title: item.title })}
        className="mt-0.5 size-4 shrink-0 accent-brand-edge"
      />
      <div className="grid min-w-0 flex-1 gap-1.5">
        <p
          className={clsx(
            'flex gap-2 text-sm leading-snug font-medium wrap-anywhere',
            isDone && 'text-muted-foreground line-through',
          )}
        >
          <PriorityMark priority={item.priority} />
          <span className="min-w-0">{item.title}</span>
        </p>
        {item.description && !isDone && (
          <Origin text={item.description} isQuote={item.isGenerated && !item.isEdited} />
        )}
        {item.source && <CitationLink callId={item.callId} citation={item.source} />}
        <ItemFacts item={item} />
      </div>
      {onEdit && <ItemMenu item={item} onEdit={onEdit} />}
    </li>
  );
}

function Origin({ text, isQuote }: { text: string; isQuote: boolean }) {
  const look = 'text-xs whitespace-pre-line wrap-anywhere text-muted-foreground';
  return isQuote ? (
    <blockquote className={clsx('border-l-2 pl-2', look)}>{text}</blockquote>
  ) : (
    <p className={look}>{text}</p>
  );
}

function ItemFacts({ item }: { item: StoredActionItem }) {
  if (!(item.owner ?? item.dueOn ?? item.due ?? item.completedBy)) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted-foreground">
      {item.owner && (
        <span className="flex min-w-0 items-center gap-1 wrap-anywhere">
          <UserRound aria-hidden className="size-3.5 shrink-0" />
          <span className="sr-only">{t('ai.actionItems.owner')}: </span>
          <span>{ownerName(item.owner)}</span>
        </span>
      )}
      {(item.dueOn ?? item.due) && (
        <span className="flex items-center gap-1" title={item.due ?? undefined}>
          <CalendarClock aria-hidden className="size-3.5 shrink-0" />
          <span className="sr-only">{t('ai.actionItems.due')}: </span>
          {item.dueOn ? (
            <time dateTime={item.dueOn}>{dueDate(item.dueOn)}</time>
          ) : (
            <span>{item.due}</span>
          )}
        </span>
      )}
      {item.completedBy && (
        <span>{t('ai.actionItems.completedBy', { name: item.completedBy })}</span>
      )}
    </p>
  );
}

function ItemMenu({ item, onEdit }: { item: StoredActionItem; onEdit: () => void }) {
  const remove = useDeleteActionItem(item);
  return (
    <Menu
      label={t('ai.actionItems.menu', { title: item.title })}
      items={[
        { title: t('common.edit'), icon: Pencil, onSelect: onEdit },
        {
          title: t('ai.actionItems.delete'),
          icon: Trash2,
          disabled: remove.isPending,
          onSelect: () => remove.mutate(undefined),
        },
      ]}
    />
  );
}
