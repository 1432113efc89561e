import { Link } from 'react-router';
import type { Call } from '#domain/calls/contract.ts';
import { CallStatus } from '#web/calls/call-status.tsx';
import { durationText } from '#web/calls/duration-text.ts';
import { InternalMark } from '#web/calls/internal-mark.tsx';
import { TeamScore } from '#web/calls/nps-badge.tsx';
import { ParticipantStack } from '#web/calls/participant-stack.tsx';
import { callDetailsPath } from '#web/calls/paths.ts';
import { preloadPage } from '#web/platform/preload-page.ts';
import { t } from '#web/platform/texts.ts';
import { SampleMark } from '#web/samples/sample-mark.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { type Column, Table } from '#web/ui/table.tsx';

const columns: Column<Call>[] = [
  {
    title: t('calls.columns.room'),
    yields: true,
    stacked: 'line',
    cell: ({ room, internal, sample }) => (
      <span className="flex items-center gap-2 @4xl:max-w-md">
        <span className="block min-w-0 truncate font-medium" title={room.topic}>
          {room.topic}
        </span>
        <InternalMark shown={internal} />
        <SampleMark shown={sample} />
      </span>
    ),
  },
  {
    title: t('calls.columns.duration'),
    cell: ({ durationSec }) => <span className="tabular-nums">{durationText(durationSec)}</span>,
  },
  {
    title: t('calls.columns.participants'),
    cell: ({ participantsJson }) => <ParticipantStack people={participantsJson} />,
  },
  { title: t('calls.columns.nps'), cell: ({ npsScore }) => <TeamScore score={npsScore} /> },
  { title: t('calls.columns.status'), cell: ({ endedAt }) => <CallStatus endedAt={endedAt} /> },
  {
    title: t('calls.columns.actions'),
    align: 'end',
    stacked: 'corner',
    cell: ({ id, room }) => (
      <Link
        to={callDetailsPath(id)}
        aria-label={t('calls.viewCall', { topic: room.topic })}
        onPointerEnter={() => preloadPage('callDetails')}
        className={buttonClass({ look: 'ghost', size: 'small' })}
      >
        {t('calls.view')}
      </Link>
    ),
  },
];

/** Calls as rows; View opens the page of one. */
export function CallsTable({ label, calls }: { label: string; calls: readonly Call[] }) {
  return <Table label={label} columns={columns} rows={calls} keyOf={({ id }) => id} stacks />;
}
