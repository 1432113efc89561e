import '#web/platform/call-texts.ts';
import { VideoOff } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { type RoomId, roomId } from '#domain/ids.ts';
import { CallElsewhere } from '#web/calls/call-elsewhere.tsx';
import { CallLayout } from '#web/calls/call-layout.tsx';
import { CallScreen } from '#web/calls/call-screen.tsx';
import { currentCall } from '#web/calls/kept-call.ts';
import { useOpenedRoom } from '#web/calls/use-opened-room.ts';
import { VideoArea } from '#web/calls/video-area.tsx';
import { useStore } from '#web/meet/use-store.ts';
import { ApiError } from '#web/platform/api.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { ShellMenuButton } from '#web/shell/shell-menu.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

export function CallPage() {
  const id = roomId.safeParse(useParams().id);
  return id.success ? <CallOfRoom key={id.data} id={id.data} /> : <RoomMissing />;
}

function CallOfRoom({ id }: { id: RoomId }) {
  const { call: current } = useStore(currentCall);
  const inCall = current?.getSnapshot().room ?? null;
  // A call that is still open has its token already: another one would reload its frame.
  const { data, error, refetch } = useOpenedRoom(id, inCall === null);
  if (current && inCall && inCall.id !== id)
    return <CallElsewhere call={current} topic={inCall.topic} />;
  const room = inCall ?? data;
  if (room) return <CallScreen room={room} newRoom={async () => (await refetch()).data} />;
  if (error instanceof ApiError && error.status === 404) return <RoomMissing />;
  if (error instanceof ApiError && error.problem?.code === 'room_archived')
    return <RoomClosed title={t('call.roomArchived')} text={t('call.roomArchivedText')} />;
  if (error) return <LoadFailed error={error} onRetry={refetch} title={t('call.roomFailed')} />;
  return (
    <CallLayout
      header={
        <header className="flex h-(--call-header) items-center border-b bg-card px-2">
          <ShellMenuButton />
        </header>
      }
      video={<VideoArea room={undefined} />}
      panel={<aside className="border-l bg-card" />}
    />
  );
}

const RoomMissing = () => (
  <RoomClosed title={t('call.roomMissing')} text={t('call.roomMissingText')} />
);

function RoomClosed({ title, text }: { title: string; text: string }) {
  return (
    <div className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={VideoOff}
        title={<h1>{title}</h1>}
        text={text}
        action={
          <Link to="/app/rooms" className={buttonClass({ look: 'outline' })}>
            {t('call.toRooms')}
          </Link>
        }
      />
    </div>
  );
}
