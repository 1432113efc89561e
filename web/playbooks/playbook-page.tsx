import { ArrowLeft, ListX } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { type PlaybookId, playbookId } from '#domain/ids.ts';
import type { Playbook } from '#domain/playbooks/contract.ts';
import { AllCalls } from '#web/analytics/all-calls.tsx';
import { useMay } from '#web/auth/use-may.ts';
import { FigureFilter } from '#web/calls/figure-filter.tsx';
import { MetricCards } from '#web/dashboard/metric-cards.tsx';
import { ApiError } from '#web/platform/api.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { EditPlaybookDialog } from '#web/playbooks/edit-playbook-dialog.tsx';
import { PlaybookMenu } from '#web/playbooks/playbook-menu.tsx';
import { PlaybookRooms } from '#web/playbooks/playbook-rooms.tsx';
import { PlaybookSteps } from '#web/playbooks/playbook-steps.tsx';
import { usePlaybook } from '#web/playbooks/queries.ts';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The page of a playbook: its steps and how often they are done, its rooms, figures, and calls. */
export function PlaybookPage() {
  const id = playbookId.safeParse(useParams().id);
  return id.success ? <PlaybookOf key={id.data} id={id.data} /> : <PlaybookMissing />;
}

function PlaybookOf({ id }: { id: PlaybookId }) {
  const { data: playbook, error, refetch } = usePlaybook(id);
  if (playbook) return <PlaybookShown playbook={playbook} />;
  if (error instanceof ApiError && error.status === 404) return <PlaybookMissing />;
  if (error)
    return (
      <Card>
        <LoadFailed error={error} onRetry={refetch} />
      </Card>
    );
  return (
    <div className="grid gap-6">
      <span role="status" className="sr-only">
        {t('common.loading')}
      </span>
      <Skeleton className="h-24 rounded-xl" />
      <Skeleton className="h-64 rounded-xl" />
    </div>
  );
}

function PlaybookShown({ playbook }: { playbook: Playbook }) {
  const edit = useAddressDialog('edit');
  const mayEdit = useMay('playbooks.update');
  const { id, title, description, status } = playbook;
  const fixed = { playbookId: id };
  return (
    <>
      <title>{`${title} · ${t('product')}`}</title>
      <header className="mb-6">
        <Link
          to="/app/playbooks"
          className="mb-3 inline-flex items-center gap-1.5 rounded text-sm text-muted-foreground hover:text-foreground"
        >
          <ArrowLeft aria-hidden className="size-4" />
          {t('playbooks.title')}
        </Link>
        <div className="flex items-start justify-between gap-4">
          <div className="min-w-0">
            <h1 className="line-clamp-3 text-xl font-semibold tracking-tight wrap-anywhere">
              {title}
            </h1>
            {description && (
              <p className="mt-1 max-w-prose text-sm wrap-anywhere text-muted-foreground">
                {description}
              </p>
            )}
          </div>
          <div className="flex items-center gap-2">
            {status === 'archived' && (
              <Badge look="outline">{t('playbooks.filters.archived')}</Badge>
            )}
            {mayEdit && <PlaybookMenu playbook={playbook} onEdit={() => edit.open()} />}
          </div>
        </div>
      </header>
      <FigureFilter fixed={fixed} />
      <div className="grid grid-cols-1 gap-6">
        <MetricCards fixed={fixed} />
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <PlaybookSteps playbook={playbook} />
          <PlaybookRooms id={id} />
        </div>
        <AllCalls title={t('playbooks.page.calls')} fixed={fixed} />
      </div>
      {mayEdit && <EditPlaybookDialog id={edit.value === null ? null : id} onClose={edit.close} />}
    </>
  );
}

function PlaybookMissing() {
  return (
    <Card>
      <title>{`${t('playbooks.edit.missing')} · ${t('product')}`}</title>
      <EmptyState
        icon={ListX}
        title={<h1>{t('playbooks.edit.missing')}</h1>}
        text={t('playbooks.edit.missingText')}
        action={
          <Link to="/app/playbooks" className={buttonClass({ look: 'outline' })}>
            {t('playbooks.page.toPlaybooks')}
          </Link>
        }
      />
    </Card>
  );
}
