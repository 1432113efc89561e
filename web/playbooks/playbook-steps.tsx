import type { Playbook } from '#domain/playbooks/contract.ts';
import { t } from '#web/platform/texts.ts';
import { usePlaybookUse } from '#web/playbooks/queries.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';

/** The steps in their order, each with how often it was done in the newest calls. */
export function PlaybookSteps({ playbook }: { playbook: Playbook }) {
  const { data: use } = usePlaybookUse(playbook.id);
  const done = new Map(use?.steps.map((step) => [step.id, step]));
  const items = playbook.checklistItems.toSorted((a, b) => a.order - b.order);
  return (
    <Card className="min-w-0">
      <CardHeader title={t('playbooks.page.steps')} />
      <ol className="divide-y">
        {items.map(({ id, text }, index) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 gap-y-2 px-5 py-3 text-sm">
            <span aria-hidden className="w-5 text-right text-muted-foreground tabular-nums">
              {index + 1}
            </span>
            <span className="min-w-0 flex-1 basis-48 wrap-anywhere">{text}</span>
            {use && <StepDone {...(done.get(id) ?? { calls: 0, done: 0 })} />}
          </li>
        ))}
      </ol>
      {use && (
        <p className="border-t px-5 py-3 text-xs text-muted-foreground">
          {use.calls === 0
            ? t('playbooks.page.unused')
            : t('playbooks.page.countedOver', { count: use.calls })}
        </p>
      )}
    </Card>
  );
}

function StepDone({ calls, done }: { calls: number; done: number }) {
  if (calls === 0) return <span className="text-muted-foreground">{t('common.missing')}</span>;
  const percent = Math.round((100 * done) / calls);
  return (
    <span className="flex w-40 items-center gap-3">
      <span aria-hidden className="h-1.5 flex-1 overflow-hidden rounded-full bg-muted">
        <span className="block h-full bg-(--ring)" style={{ width: `${percent}%` }} />
      </span>
      <span
        className="min-w-11 text-right whitespace-nowrap tabular-nums"
        title={t('playbooks.page.doneIn', { done, count: calls })}
      >
        {t('dashboard.percent', { value: percent })}
        <span className="sr-only">{t('playbooks.page.doneIn', { done, count: calls })}</span>
      </span>
    </span>
  );
}
