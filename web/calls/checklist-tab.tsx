import '#web/platform/call-texts.ts';
import { ListChecks } from 'lucide-react';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { AddStep } from '#web/calls/add-step.tsx';
import type { CallSession } from '#web/calls/call-session.ts';
import type { Checklist } from '#web/calls/checklist.ts';
import { ChecklistLine } from '#web/calls/checklist-line.tsx';
import { useStore } from '#web/meet/use-store.ts';
import { t } from '#web/platform/texts.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';

// Only calls without a playbook need it.
const ChoosePlaybook = lazy(() => import('#web/calls/choose-playbook.tsx'));

export function ChecklistTab({ session, mayEdit }: { session: CallSession; mayEdit: boolean }) {
  const { items, call } = useStore(session);
  const { checklist } = session.edits;
  const adding = mayEdit && call && <AddStep session={session} id={call.id} />;
  if (items.length === 0)
    return (
      <div className="grid gap-4">
        <EmptyState
          icon={ListChecks}
          title={t('call.noPlaybook')}
          text={t(mayEdit ? 'call.noPlaybookText' : 'call.noPlaybookViewer')}
        />
        {mayEdit && call && (
          <Suspense>
            <ChoosePlaybook session={session} id={call.id} />
          </Suspense>
        )}
        {adding}
      </div>
    );
  const sorted = items.toSorted((a, b) => a.order - b.order);
  return (
    <div className="grid gap-3">
      <Progress checklist={checklist} ids={sorted.map(({ id }) => id)} />
      <ul className="grid gap-0.5">
        {sorted.map(({ id, text }) => (
          <ChecklistLine
            key={id}
            id={id}
            text={text}
            checklist={checklist}
            {...(mayEdit ? { onCheck: (checked) => session.edits.check(id, checked) } : {})}
          />
        ))}
      </ul>
      {adding}
    </div>
  );
}

function Progress({ checklist, ids }: { checklist: Checklist; ids: readonly string[] }) {
  const done = useSyncExternalStore(
    checklist.subscribe,
    () => ids.filter(checklist.isChecked).length,
  );
  return (
    <div className="grid gap-1.5">
      <p className="text-xs text-muted-foreground tabular-nums">
        {t('call.checklistProgress', { done, total: ids.length })}
      </p>
      <div aria-hidden className="h-1 overflow-hidden rounded-full bg-muted">
        <div
          className="h-full rounded-full bg-brand-edge transition-[width] duration-200"
          style={{ width: `${(100 * done) / ids.length}%` }}
        />
      </div>
    </div>
  );
}
