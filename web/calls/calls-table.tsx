import { useMemo, useState } from 'react';
import type { Call } from '#domain/calls/contract.ts';
import { formatDuration } from '#domain/calls/rules.ts';
import { CallDetailsDialog } from '#web/calls/call-details-dialog.tsx';
import { CallStatus } from '#web/calls/call-status.tsx';
import { NpsBadge } from '#web/calls/nps-badge.tsx';
import { ParticipantStack } from '#web/calls/participant-stack.tsx';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { type Column, Table } from '#web/ui/table.tsx';

const columnsWith = (view: (call: Call) => void): Column<Call>[] => [
  {
    title: t('calls.columns.room'),
    cell: ({ room }) => (
      <span className="block max-w-56 truncate font-medium" title={room.topic}>
        {room.topic}
      </span>
    ),
  },
  {
    title: t('calls.columns.duration'),
    cell: ({ durationSec }) => <span className="tabular-nums">{formatDuration(durationSec)}</span>,
  },
  {
    title: t('calls.columns.participants'),
    cell: ({ participantsJson }) => <ParticipantStack people={participantsJson} />,
  },
  { title: t('calls.columns.nps'), cell: ({ npsScore }) => <NpsBadge score={npsScore} /> },
  { title: t('calls.columns.status'), cell: ({ endedAt }) => <CallStatus endedAt={endedAt} /> },
  {
    title: t('calls.columns.actions'),
    align: 'end',
    cell: (call) => (
      <Button
        look="ghost"
        size="small"
        aria-label={t('calls.viewCall', { topic: call.room.topic })}
        onClick={() => view(call)}
      >
        {t('calls.view')}
      </Button>
    ),
  },
];

/** Calls as rows; View shows one with its checklist and notes. */
export function CallsTable({ label, calls }: { label: string; calls: readonly Call[] }) {
  const [viewed, setViewed] = useState<Call | null>(null);
  const columns = useMemo(() => columnsWith(setViewed), []);
  return (
    <>
      <Table label={label} columns={columns} rows={calls} keyOf={({ id }) => id} />
      {viewed && <CallDetailsDialog call={viewed} onClose={() => setViewed(null)} />}
    </>
  );
}
