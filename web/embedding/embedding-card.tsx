import { useEmbedding } from '#web/embedding/queries.ts';
import { SitesForm } from '#web/embedding/sites-form.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The sites that may show the organization's guest pages in a frame, and the code for it. */
export function EmbeddingCard() {
  return (
    <Card>
      <CardHeader title={t('security.embedding.title')} />
      <div className="p-5">
        <Sites />
      </div>
    </Card>
  );
}

function Sites() {
  const { data, error, refetch } = useEmbedding();
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />;
  if (!data) return <Skeleton className="h-40" />;
  return (
    <div className="grid gap-5">
      {/* Shows the addresses as the server stored them: sorted, without duplicates. */}
      <SitesForm key={data.origins.join(' ')} saved={data.origins} />
      {data.origins.length > 0 && <FrameToCopy />}
    </div>
  );
}

const frame = `<iframe src="https://…/join/…" allow="camera; microphone; display-capture; fullscreen; autoplay; screen-wake-lock"></iframe>`;

function FrameToCopy() {
  return (
    <div className="grid gap-2 text-sm">
      <p className="text-muted-foreground">{t('security.embedding.frame')}</p>
      <section
        aria-label={t('security.embedding.frameLabel')}
        className="rounded-md bg-muted px-3 py-2.5"
      >
        <code className="break-words">{frame}</code>
      </section>
    </div>
  );
}
