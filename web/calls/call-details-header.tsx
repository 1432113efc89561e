import '#web/platform/call-texts.ts';
import { ArrowLeft, Printer, Star } from 'lucide-react';
import { Link } from 'react-router';
import type { CallDetails } from '#domain/calls/contract.ts';
import { CallStatus } from '#web/calls/call-status.tsx';
import { durationText } from '#web/calls/duration-text.ts';
import { HeldMark } from '#web/calls/held-mark.tsx';
import { InternalMark } from '#web/calls/internal-mark.tsx';
import { TeamScore } from '#web/calls/nps-badge.tsx';
import { callDetailsPath } from '#web/calls/paths.ts';
import { CopyButton } from '#web/platform/copy-button.tsx';
import { preloadPage } from '#web/platform/preload-page.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { playbookPath } from '#web/playbooks/paths.ts';
import { callPath, roomPath } from '#web/rooms/paths.ts';
import { SampleMark } from '#web/samples/sample-mark.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';

interface CallDetailsHeaderProps {
  call: CallDetails;
  /** Absent for people who may not score. */
  onRate?: () => void;
}

export function CallDetailsHeader({ call, onRate }: CallDetailsHeaderProps) {
  const { id, roomId, room, startedAt, endedAt, durationSec, npsScore, playbook } = call;
  const mayJoin = endedAt === null && room.status === 'active';
  return (
    <header className="mb-6">
      <Link
        to="/app/analytics#all-calls"
        className="mb-3 inline-flex items-center gap-1.5 rounded text-sm text-muted-foreground hover:text-foreground print:hidden"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {t('analytics.allCalls')}
      </Link>
      <h1 title={room.topic} className="text-xl font-semibold tracking-tight">
        <Link
          to={roomPath(roomId)}
          className="line-clamp-4 rounded wrap-anywhere hover:underline print:line-clamp-none print:no-underline"
        >
          {room.topic}
        </Link>
      </h1>
      <div className="mt-2 flex flex-wrap items-baseline gap-x-4 gap-y-2 text-sm">
        <CallStatus endedAt={endedAt} />
        <InternalMark shown={call.internal} />
        <HeldMark shown={call.legalHold} />
        <SampleMark shown={call.sample} />
        <span>{t('calls.details.started', { time: formatDateTime(startedAt) })}</span>
        {endedAt && (
          <span className="tabular-nums">
            {t('calls.details.duration', { duration: durationText(durationSec) })}
          </span>
        )}
        {playbook && (
          <Link
            to={playbookPath(playbook.id)}
            className="min-w-0 rounded wrap-anywhere text-muted-foreground hover:text-foreground hover:underline"
          >
            {playbook.title}
          </Link>
        )}
        <span className="flex items-baseline gap-1.5">
          {t('calls.columns.nps')} <TeamScore score={npsScore} wide />
        </span>
      </div>
      <div className="mt-4 flex flex-wrap gap-2 print:hidden">
        {mayJoin && (
          <Link
            to={callPath(roomId)}
            onPointerEnter={() => preloadPage('call')}
            className={buttonClass({ size: 'small' })}
          >
            {t('rooms.joinCall')}
          </Link>
        )}
        <CopyButton
          label={t('calls.details.copyLink')}
          done={t('calls.details.linkCopied')}
          text={() => window.location.origin + callDetailsPath(id)}
        />
        <Button look="outline" size="small" onClick={() => window.print()}>
          <Printer aria-hidden className="size-4" />
          {t('calls.details.print')}
        </Button>
        {onRate && (
          <Button look="outline" size="small" onClick={onRate}>
            <Star aria-hidden className="size-4" />
            {t('calls.details.rate')}
          </Button>
        )}
      </div>
    </header>
  );
}
