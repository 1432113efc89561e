import '#web/platform/embedding-texts.ts';
import { ShieldX } from 'lucide-react';
import { useMay } from '#web/auth/use-may.ts';
import { CodeCard } from '#web/embedding/code-card.tsx';
import { useEmbedding } from '#web/embedding/queries.ts';
import { SitesForm } from '#web/embedding/sites-form.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The sites that may show the organization's calls in a frame, and the code for it, for admins. */
export function EmbeddingPage() {
  const mayManage = useMay('security.manage');
  return (
    <>
      <title>{`${t('embedding.title')} · ${t('product')}`}</title>
      {mayManage ? (
        <>
          <PageHeader title={t('embedding.title')} subtitle={t('embedding.subtitle')} />
          <div className="grid grid-cols-1 gap-6">
            <Card>
              <CardHeader title={t('embedding.sites')} />
              <div className="p-5">
                <Sites />
              </div>
            </Card>
            <CodeCard />
          </div>
        </>
      ) : (
        <Card>
          <EmptyState
            icon={ShieldX}
            title={<h1>{t('embedding.denied')}</h1>}
            text={t('embedding.deniedText')}
          />
        </Card>
      )}
    </>
  );
}

function Sites() {
  const { data, error, refetch } = useEmbedding();
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />;
  if (!data) return <Skeleton className="h-40" />;
  // Shows the addresses as the server stored them: sorted, without duplicates.
  return <SitesForm key={data.origins.join(' ')} saved={data.origins} />;
}
