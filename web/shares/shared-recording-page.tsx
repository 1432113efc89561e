import { Link2Off, VideoOff } from 'lucide-react';
import { useMemo } from 'react';
import { useParams } from 'react-router';
import type { SharedRecording } from '#domain/shares/contract.ts';
import '#web/platform/player-texts.ts';
import { OrganizationMark } from '#web/organizations/organization-mark.tsx';
import { isRefusal } from '#web/platform/api.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { PlayerView } from '#web/player/player-view.tsx';
import { clipOf } from '#web/shares/clip-of.ts';
import { useShared } from '#web/shares/queries.ts';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

/** A recording, for people who have its link and no account. */
export function SharedRecordingPage() {
  const { token = '' } = useParams();
  const { data, error, refetch } = useShared(token);
  return (
    <main className="mx-auto min-h-dvh max-w-5xl px-4 py-6 sm:px-6 sm:py-10">
      <meta name="robots" content="noindex" />
      {data && !isRefusal(error) ? (
        <Shared shared={data} renew={() => void refetch()} />
      ) : isRefusal(error) ? (
        <Over isEnded={error.status === 410} />
      ) : error ? (
        <Card>
          <LoadFailed error={error} onRetry={refetch} title={t('player.state.loadFailed')} />
        </Card>
      ) : (
        <Spinner label={t('common.loading')} />
      )}
    </main>
  );
}

function Shared({ shared, renew }: { shared: SharedRecording; renew: () => void }) {
  const { title, organization, expiresAt } = shared;
  const recording = useMemo(() => clipOf(shared), [shared]);
  return (
    <article className="grid gap-5">
      <title>{`${title} · ${organization.name}`}</title>
      <header className="flex items-center gap-3">
        {organization.logoUrl && <OrganizationMark organization={organization} />}
        <div className="min-w-0">
          <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          <p className="text-sm text-muted-foreground wrap-anywhere">
            {t('player.sharing.from', { name: organization.name })}
          </p>
        </div>
      </header>
      {recording.people.length > 0 ? (
        <PlayerView
          recording={recording}
          lines={noLines}
          markers={noMarkers}
          startMs={null}
          renew={renew}
          transcript={null}
        />
      ) : (
        <Card>
          <EmptyState
            icon={VideoOff}
            title={t('player.sharing.empty')}
            text={t('player.sharing.emptyText')}
          />
        </Card>
      )}
      <p className="text-xs text-muted-foreground">
        {t('player.sharing.until', { time: formatDateTime(expiresAt) })}
      </p>
    </article>
  );
}

const noLines = [] as const;
const noMarkers = [] as const;

function Over({ isEnded }: { isEnded: boolean }) {
  const title = t(isEnded ? 'player.sharing.ended' : 'player.sharing.unknown');
  return (
    <Card>
      <title>{`${title} · ${t('product')}`}</title>
      <EmptyState icon={Link2Off} title={<h1>{title}</h1>} text={t('player.sharing.endedText')} />
    </Card>
  );
}
