import { Link, useNavigate } from 'react-router';
import type { Call } from '#domain/calls/contract.ts';
import type { CallSort } from '#domain/calls/filter.ts';
import { CallStatus } from '#web/calls/call-status.tsx';
import { durationText } from '#web/calls/duration-text.ts';
import { InternalMark } from '#web/calls/internal-mark.tsx';
import { TeamScore } from '#web/calls/nps-badge.tsx';
import { ParticipantStack } from '#web/calls/participant-stack.tsx';
import { callDetailsPath } from '#web/calls/paths.ts';
import { preloadPage } from '#web/platform/preload-page.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { SampleMark } from '#web/samples/sample-mark.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { type Column, Table } from '#web/ui/table.tsx';

const roomColumn = (isOfOneRoom: boolean): Column<Call> => ({
  title: t('calls.columns.room'),
  yields: true,
  stacked: 'line',
  cell: ({ id, room, agent, startedAt, internal, sample }) => {
    const time = <time dateTime={startedAt}>{formatDateTime(startedAt)}</time>;
    return (
      <span className="grid grid-cols-1 gap-0.5 @4xl:max-w-md">
        <span className="flex items-center gap-2">
          <Link
            to={callDetailsPath(id)}
            title={room.topic}
            onPointerEnter={() => preloadPage('callDetails')}
            className="line-clamp-2 min-w-0 rounded font-medium wrap-anywhere whitespace-normal hover:underline"
          >
            {isOfOneRoom ? time : room.topic}
          </Link>
          <InternalMark shown={internal} />
          <SampleMark shown={sample} />
        </span>
        <span className="line-clamp-2 text-xs wrap-anywhere whitespace-normal text-muted-foreground">
          {!isOfOneRoom && time}
          {!isOfOneRoom && agent?.name && ' · '}
          {agent?.name}
        </span>
      </span>
    );
  },
});
const duration: Column<Call> = {
  title: t('calls.columns.duration'),
  cell: ({ durationSec }) => <span className="tabular-nums">{durationText(durationSec)}</span>,
};
const participants: Column<Call> = {
  title: t('calls.columns.participants'),
  cell: ({ participantsJson }) => <ParticipantStack people={participantsJson} />,
};
const nps: Column<Call> = {
  title: t('calls.columns.nps'),
  cell: ({ npsScore }) => <TeamScore score={npsScore} />,
};
const status: Column<Call> = {
  title: t('calls.columns.status'),
  cell: ({ endedAt }) => <CallStatus endedAt={endedAt} />,
};
const actions: Column<Call> = {
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
};

interface CallsTableProps {
  label: string;
  calls: readonly Call[];
  /** The order of the rows, and how the titles of the columns change it. */
  sort?: { by: CallSort; onSort: (sort: CallSort) => void };
  /** Rows are named by their time: all have the same room. */
  isOfOneRoom?: boolean;
}

/** Calls as rows, each of which opens the page of its call, as View does. */
export function CallsTable({ label, calls, sort, isOfOneRoom = false }: CallsTableProps) {
  const navigate = useNavigate();
  const sorted = (column: Column<Call>, most: CallSort, least: CallSort): Column<Call> => {
    if (!sort) return column;
    const { by, onSort } = sort;
    const direction = by === most ? 'descending' : by === least ? 'ascending' : undefined;
    return { ...column, sort: { direction, onSort: () => onSort(by === most ? least : most) } };
  };
  const columns = [
    sorted(roomColumn(isOfOneRoom), 'newest', 'oldest'),
    sorted(duration, 'longest', 'shortest'),
    participants,
    sorted(nps, 'highest', 'lowest'),
    status,
    actions,
  ];
  return (
    <Table
      label={label}
      columns={columns}
      rows={calls}
      keyOf={({ id }) => id}
      onOpen={({ id }) => void navigate(callDetailsPath(id))}
      stacks
    />
  );
}
