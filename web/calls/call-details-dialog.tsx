import { clsx } from 'clsx';
import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Call } from '#domain/calls/contract.ts';
import { formatDuration } from '#domain/calls/rules.ts';
import { CallStatus } from '#web/calls/call-status.tsx';
import { NpsBadge } from '#web/calls/nps-badge.tsx';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { Dialog } from '#web/ui/dialog.tsx';

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2">
      <h3 className="text-xs font-medium text-muted-foreground">{title}</h3>
      {children}
    </section>
  );
}

function ItemList({ call }: { call: Call }) {
  if (call.checklistItems.length === 0)
    return <p className="text-sm">{t('calls.details.noChecklist')}</p>;
  return (
    <ul className="grid gap-1.5">
      {call.checklistItems.map(({ id, text }) => {
        const done = call.checklistStateJson[id] === true;
        const Icon = done ? Check : Minus;
        return (
          <li key={id} className={clsx('flex gap-2 text-sm', !done && 'text-muted-foreground')}>
            <Icon
              role="img"
              aria-label={t(done ? 'calls.details.done' : 'calls.details.open')}
              className="mt-0.5 size-4 shrink-0"
            />
            {text}
          </li>
        );
      })}
    </ul>
  );
}

/** What is left of a call: who, how long, the checklist, the notes and the score. */
export function CallDetailsDialog({ call, onClose }: { call: Call; onClose: () => void }) {
  const people = call.participantsJson.map(({ name }) => name).join(', ');
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={call.room.topic}
      description={t('calls.details.started', { time: formatDateTime(call.startedAt) })}
      closeLabel={t('common.close')}
    >
      <div className="grid gap-5">
        <div className="flex items-center gap-3 text-sm">
          <CallStatus endedAt={call.endedAt} />
          <span className="tabular-nums">{formatDuration(call.durationSec)}</span>
          <NpsBadge score={call.npsScore} />
        </div>
        <Part title={t('calls.details.participants')}>
          <p className="text-sm">{people || t('calls.nobody')}</p>
        </Part>
        <Part title={t('calls.details.checklist')}>
          <ItemList call={call} />
        </Part>
        <Part title={t('calls.details.notes')}>
          <p className="max-h-64 overflow-y-auto text-sm break-words whitespace-pre-wrap">
            {call.notesSnapshot || t('calls.details.noNotes')}
          </p>
        </Part>
        {call.npsFeedback && (
          <Part title={t('calls.details.feedback')}>
            <p className="text-sm break-words whitespace-pre-wrap">{call.npsFeedback}</p>
          </Part>
        )}
      </div>
    </Dialog>
  );
}
