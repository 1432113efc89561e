import { useQuery } from '@tanstack/react-query';
import { NotebookPen } from 'lucide-react';
import { Link } from 'react-router';
import { type ListedCall, listCalls } from '#domain/calls/contract.ts';
import type { RoomId } from '#domain/ids.ts';
import { callDetailsPath } from '#web/calls/paths.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const newest = 20;
const shown = 5;

/** The notes of the room's newest calls. */
export function RoomNotes({ id }: { id: RoomId }) {
  const { data, error, refetch } = useQuery({
    ...reading(listCalls, { query: { limit: newest, roomId: id } }),
    staleTime: 0,
  });
  return (
    <Card className="min-w-0">
      <CardHeader title={t('rooms.page.notes')} />
      {error ? (
        <LoadFailed error={error} onRetry={refetch} />
      ) : data ? (
        <Notes calls={data.filter(({ notesSnapshot }) => notesSnapshot?.trim()).slice(0, shown)} />
      ) : (
        <Skeleton className="m-5 h-40" />
      )}
    </Card>
  );
}

function Notes({ calls }: { calls: ListedCall[] }) {
  if (calls.length === 0)
    return (
      <EmptyState
        icon={NotebookPen}
        title={t('rooms.page.noNotes')}
        text={t('rooms.page.noNotesText')}
      />
    );
  return (
    <ul className="divide-y">
      {calls.map(({ id, startedAt, agent, notesSnapshot }) => (
        <li key={id} className="grid grid-cols-1 gap-1 px-5 py-4">
          <Link
            to={callDetailsPath(id)}
            className="w-fit max-w-full rounded text-xs wrap-anywhere font-medium text-muted-foreground hover:text-foreground hover:underline"
          >
            {formatDateTime(startedAt)}
            {agent?.name && ` · ${agent.name}`}
          </Link>
          <p className="line-clamp-4 text-sm wrap-anywhere whitespace-pre-line">{notesSnapshot}</p>
        </li>
      ))}
    </ul>
  );
}
