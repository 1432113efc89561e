import '#web/platform/call-texts.ts';
import { DoorClosed } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { type RoomId, roomId } from '#domain/ids.ts';
import type { Room } from '#domain/rooms/contract.ts';
import { OpenActionItems } from '#web/action-items/open-action-items.tsx';
import { AllCalls } from '#web/analytics/all-calls.tsx';
import { useMay } from '#web/auth/use-may.ts';
import { FigureFilter } from '#web/calls/figure-filter.tsx';
import { RoomCaptureCard } from '#web/consent/capture-cards.tsx';
import { MetricCards } from '#web/dashboard/metric-cards.tsx';
import { ApiError } from '#web/platform/api.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { EditRoomDialog } from '#web/rooms/edit-room-dialog.tsx';
import { useRoom } from '#web/rooms/queries.ts';
import { RoomAccess } from '#web/rooms/room-access.tsx';
import { RoomHeader } from '#web/rooms/room-header.tsx';
import { RoomLinks } from '#web/rooms/room-links.tsx';
import { accessParam } from '#web/rooms/room-list.tsx';
import { RoomNotes } from '#web/rooms/room-notes.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The page of a room: its figures, calls, notes, and links. */
export function RoomPage() {
  const id = roomId.safeParse(useParams().id);
  return id.success ? <RoomOf key={id.data} id={id.data} /> : <RoomMissing />;
}

function RoomOf({ id }: { id: RoomId }) {
  const { data: room, error, refetch } = useRoom(id);
  if (room) return <RoomShown room={room} />;
  if (error instanceof ApiError && error.status === 404) return <RoomMissing />;
  if (error)
    return (
      <Card>
        <LoadFailed error={error} onRetry={refetch} />
      </Card>
    );
  return (
    <div className="grid gap-6">
      <span role="status" className="sr-only">
        {t('common.loading')}
      </span>
      <Skeleton className="h-24 rounded-xl" />
      <Skeleton className="h-64 rounded-xl" />
    </div>
  );
}

function RoomShown({ room }: { room: Room }) {
  const edit = useAddressDialog('edit');
  const access = useAddressDialog(accessParam);
  const mayShare = useMay('rooms.share') && room.status === 'active';
  const mayEdit = useMay('rooms.update') && room.status === 'active';
  const fixed = { roomId: room.id };
  return (
    <>
      <title>{`${room.topic} · ${t('product')}`}</title>
      <RoomHeader room={room} onEdit={() => edit.open()} onAccess={() => access.open()} />
      <FigureFilter fixed={fixed} />
      <div className="grid grid-cols-1 gap-6">
        <MetricCards fixed={fixed} />
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="grid min-w-0 gap-6">
            <RoomNotes id={room.id} />
            <Card className="min-w-0">
              <CardHeader title={t('ai.actionItems.open')} />
              <div className="p-5">
                <OpenActionItems roomId={room.id} />
              </div>
            </Card>
          </div>
          <div className="grid min-w-0 gap-6">
            {mayShare && <RoomLinks room={room} onManage={() => access.open()} />}
            {mayEdit && <RoomCaptureCard id={room.id} />}
          </div>
        </div>
        <AllCalls title={t('rooms.page.calls')} fixed={fixed} />
      </div>
      {mayEdit && <EditRoomDialog room={edit.value === null ? null : room} onClose={edit.close} />}
      {mayShare && <RoomAccess room={access.value === null ? null : room} onClose={access.close} />}
    </>
  );
}

function RoomMissing() {
  return (
    <Card>
      <title>{`${t('rooms.page.missing')} · ${t('product')}`}</title>
      <EmptyState
        icon={DoorClosed}
        title={<h1>{t('rooms.page.missing')}</h1>}
        text={t('rooms.page.missingText')}
        action={
          <Link to="/app/rooms" className={buttonClass({ look: 'outline' })}>
            {t('rooms.page.toRooms')}
          </Link>
        }
      />
    </Card>
  );
}
