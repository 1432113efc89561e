import '#web/platform/player-texts.ts';
import { ShieldX } from 'lucide-react';
import { AiSettingsForm } from '#web/ai-settings/ai-settings-form.tsx';
import { useAiSettings } from '#web/ai-settings/queries.ts';
import { UsageCard } from '#web/ai-settings/usage-card.tsx';
import { useMay } from '#web/auth/use-may.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { LocalModelsCard } from '#web/speech-models/local-models-card.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** Who analyzes the organization's calls, its budget, and what it has used this month, for admins. */
export function AiSettingsPage() {
  const mayManage = useMay('privacy.manage');
  return (
    <>
      <title>{`${t('assistant.settings.title')} · ${t('product')}`}</title>
      {mayManage ? (
        <>
          <PageHeader
            title={t('assistant.settings.title')}
            subtitle={t('assistant.settings.subtitle')}
          />
          <Cards />
        </>
      ) : (
        <Card>
          <EmptyState
            icon={ShieldX}
            title={<h1>{t('assistant.settings.denied')}</h1>}
            text={t('assistant.settings.deniedText')}
          />
        </Card>
      )}
    </>
  );
}

function Cards() {
  const { data, error, refetch } = useAiSettings();
  if (error && !data)
    return (
      <Card>
        <LoadFailed error={error} onRetry={refetch} />
      </Card>
    );
  if (!data) return <Skeleton className="h-96" />;
  return (
    <div className="grid grid-cols-1 gap-6">
      <Card>
        <CardHeader title={t('assistant.settings.analyzer')} />
        {data.providers.length > 1 ? (
          <AiSettingsForm settings={data} />
        ) : (
          <p className="p-5 text-sm text-muted-foreground">{t('assistant.settings.none')}</p>
        )}
      </Card>
      {(data.providers.length > 1 || data.usage.length > 0) && <UsageCard settings={data} />}
      <LocalModelsCard />
    </div>
  );
}
