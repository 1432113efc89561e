import { ListChecks } from 'lucide-react';
import { t } from '#web/platform/texts.ts';
import { PlaybookCard } from '#web/playbooks/playbook-card.tsx';
import { usePlaybooks } from '#web/playbooks/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CardGrid, CardGridSkeleton } from '#web/ui/card-grid.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';

/** `onCreate` is absent for people who may not make playbooks. */
export function PlaybookGrid({ onCreate }: { onCreate?: () => void }) {
  const { data, error, refetch } = usePlaybooks();
  if (error)
    return (
      <Card>
        <FailedState
          title={t('common.loadFailed')}
          text={error.message}
          retryLabel={t('common.tryAgain')}
          onRetry={() => void refetch()}
        />
      </Card>
    );
  if (!data) return <CardGridSkeleton label={t('common.loading')} />;
  if (data.length === 0)
    return (
      <Card>
        <EmptyState
          icon={ListChecks}
          title={t('playbooks.empty')}
          text={t(onCreate ? 'playbooks.emptyText' : 'playbooks.emptyViewer')}
          action={onCreate && <Button onClick={onCreate}>{t('playbooks.createFirst')}</Button>}
        />
      </Card>
    );
  return (
    <CardGrid>
      {data.map((playbook) => (
        <PlaybookCard key={playbook.id} playbook={playbook} />
      ))}
    </CardGrid>
  );
}
