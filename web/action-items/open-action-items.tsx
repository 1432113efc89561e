import { useNavigate } from 'react-router';
import type { RoomId } from '#domain/ids.ts';
import { ActionItemRow } from '#web/action-items/action-item-row.tsx';
import { itemParam } from '#web/action-items/action-items.tsx';
import { useOpenActionItems } from '#web/action-items/queries.ts';
import { useMay } from '#web/auth/use-may.ts';
import { callDetailsPath } from '#web/calls/paths.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** What is still to be done of a room's calls, newest call first. */
export function OpenActionItems({ roomId }: { roomId: RoomId }) {
  const { data, error, refetch } = useOpenActionItems(roomId);
  const mayEdit = useMay('calls.update');
  const navigate = useNavigate();
  if (error && !data)
    return <LoadFailed error={error} onRetry={refetch} title={t('ai.actionItems.failed')} />;
  if (!data) return <Skeleton className="h-24" />;
  if (data.length === 0)
    return <p className="text-sm text-muted-foreground">{t('ai.actionItems.noneOpen')}</p>;
  return (
    <ul className="grid max-h-96 gap-2 overflow-y-auto">
      {data.map((item) => (
        <ActionItemRow
          key={item.id}
          item={item}
          {...(mayEdit && {
            onEdit: () => navigate(`${callDetailsPath(item.callId)}?${itemParam}=${item.id}`),
          })}
        />
      ))}
    </ul>
  );
}
