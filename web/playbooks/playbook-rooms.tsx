import { Link } from 'react-router';
import type { PlaybookId } from '#domain/ids.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { usePlaybookUse } from '#web/playbooks/queries.ts';
import { roomPath } from '#web/rooms/paths.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The active rooms whose calls follow the playbook. */
export function PlaybookRooms({ id }: { id: PlaybookId }) {
  const { data, error, refetch } = usePlaybookUse(id);
  return (
    <Card className="min-w-0">
      <CardHeader title={t('playbooks.page.rooms')} />
      {error ? (
        <LoadFailed error={error} onRetry={refetch} />
      ) : data ? (
        <Rooms rooms={data.rooms} />
      ) : (
        <Skeleton className="m-5 h-24" />
      )}
    </Card>
  );
}

function Rooms({ rooms }: Pick<NonNullable<ReturnType<typeof usePlaybookUse>['data']>, 'rooms'>) {
  if (rooms.length === 0)
    return <p className="p-5 text-sm text-muted-foreground">{t('playbooks.page.noRooms')}</p>;
  return (
    <ul className="grid max-h-96 gap-1 overflow-y-auto p-3 text-sm">
      {rooms.map(({ id, topic }) => (
        <li key={id} className="min-w-0">
          <Link
            to={roomPath(id)}
            title={topic}
            className="block truncate rounded-md px-2 py-1.5 hover:bg-muted"
          >
            {topic}
          </Link>
        </li>
      ))}
    </ul>
  );
}
