import '#web/platform/player-texts.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { ModelRow } from '#web/speech-models/model-row.tsx';
import { useSpeechModels } from '#web/speech-models/queries.ts';
import { SpeechServiceCard } from '#web/transcripts/speech-service-card.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';

/** Which service transcribes, and the models that this server can have for it. */
export function LocalModelsCard() {
  const { data, error, refetch } = useSpeechModels();
  if (error && !data)
    return (
      <Card>
        <LoadFailed error={error} onRetry={refetch} />
      </Card>
    );
  if (!data) return null;
  return (
    <>
      <SpeechServiceCard
        {...(data.models.length > 0 && { none: t('transcript.service.fetchBelow') })}
      />
      {data.models.length > 0 && (
        <Card className="min-w-0">
          <CardHeader title={t('transcript.models.title')} />
          <p className="px-5 pt-4 text-sm text-muted-foreground">{t('transcript.models.text')}</p>
          <ul className="divide-y">
            {data.models.map((model) => (
              <ModelRow key={model.name} model={model} />
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}
