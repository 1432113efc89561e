import { clsx } from 'clsx';
import { Check, Minus } from 'lucide-react';
import type { Call } from '#domain/calls/contract.ts';
import { t } from '#web/platform/texts.ts';

/** The checklist at the end of a call. */
export function CallItems({ call }: { call: Call }) {
  const items = call.checklistItems.toSorted((a, b) => a.order - b.order);
  if (items.length === 0)
    return <p className="text-sm text-muted-foreground">{t('calls.details.noChecklist')}</p>;
  return (
    <ul className="grid gap-2">
      {items.map(({ id, text }) => {
        const done = call.checklistStateJson[id] === true;
        const Icon = done ? Check : Minus;
        return (
          <li
            key={id}
            className={clsx(
              'flex break-inside-avoid gap-2.5 text-sm',
              !done && 'text-muted-foreground',
            )}
          >
            <Icon
              role="img"
              aria-label={t(done ? 'calls.details.done' : 'calls.details.open')}
              className={clsx('mt-0.5 size-4 shrink-0', done && 'text-success')}
            />
            <span className="min-w-0 wrap-anywhere">{text}</span>
          </li>
        );
      })}
    </ul>
  );
}
