import { Link } from 'react-router';
import type { RecordingStorage } from '#domain/recordings/contract.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { formatBytes } from '#web/privacy/format-bytes.ts';
import { useRecordingStorage } from '#web/privacy/queries.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** What the organization's recordings use, when they are deleted, and which calls are under legal hold. */
export function StorageCard() {
  const { data, error, refetch } = useRecordingStorage();
  return (
    <Card>
      <CardHeader title={t('privacy.storage.title')} />
      {error && !data ? <LoadFailed error={error} onRetry={refetch} /> : <Figures data={data} />}
    </Card>
  );
}

function Figures({ data }: { data: RecordingStorage | undefined }) {
  if (!data) return <Skeleton className="m-5 h-40" />;
  const { usedBytes, mostBytes, recordedCalls, retentionDays } = data;
  const kept =
    retentionDays === null
      ? t('privacy.storage.forever')
      : t('privacy.storage.days', { count: retentionDays });
  return (
    <div className="grid gap-5 p-5">
      <dl className="divide-y text-sm">
        <Figure name={t('privacy.storage.used')} value={formatBytes(usedBytes)} />
        {mostBytes !== null && (
          <Figure name={t('privacy.storage.most')} value={formatBytes(mostBytes)} />
        )}
        <Figure name={t('privacy.storage.calls')} value={String(recordedCalls)} />
        <Figure name={t('privacy.storage.kept')} value={kept} />
      </dl>
      <Holds holds={data.holds} />
    </div>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 py-2">
      <dt>{name}</dt>
      <dd className="tabular-nums">{value}</dd>
    </div>
  );
}

function Holds({ holds }: Pick<RecordingStorage, 'holds'>) {
  return (
    <section className="grid gap-2 text-sm">
      <h3 className="font-medium">{t('privacy.storage.holds')}</h3>
      <p className="text-muted-foreground">
        {holds.length === 0 ? t('privacy.storage.noHolds') : t('privacy.storage.holdsText')}
      </p>
      <ul className="divide-y">
        {holds.map(({ callId, room, startedAt, reason }) => (
          <li key={callId} className="py-2">
            <Link to={`/app/calls/${callId}`} className="font-medium hover:underline">
              {room} · {formatDateTime(startedAt)}
            </Link>
            <p className="break-words text-muted-foreground">{reason}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
