import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { OpenedRoom } from '#domain/rooms/contract.ts';
import { useMay } from '#web/auth/use-may.ts';
import { AfterCall } from '#web/calls/after-call.tsx';
import { CallHeader } from '#web/calls/call-header.tsx';
import { CallLayout } from '#web/calls/call-layout.tsx';
import { CallPanel } from '#web/calls/call-panel.tsx';
import { othersInCall } from '#web/calls/leave-control.tsx';
import { refreshCalls } from '#web/calls/queries.ts';
import { StartFailure } from '#web/calls/start-failure.tsx';
import { useCallShortcuts } from '#web/calls/use-call-shortcuts.ts';
import { useKeptCall } from '#web/calls/use-kept-call.ts';
import { VideoArea } from '#web/calls/video-area.tsx';
import { useStore } from '#web/meet/use-store.ts';
import { t } from '#web/platform/texts.ts';

interface CallScreenProps {
  room: OpenedRoom;
  /** Requests the room again, with a token that opens the meeting. */
  newRoom: () => Promise<OpenedRoom | undefined>;
}

export function CallScreen(props: CallScreenProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const mayEdit = useMay('calls.update');
  const kept = useKeptCall(props.room, props.newRoom);
  const { session } = kept;
  const { room, waiting, isJoined } = useStore(kept);
  const { phase, ending, call, roster, startFailure } = useStore(session);
  useCallShortcuts(isJoined);
  // A call that no one has joined leaves nothing to score, and viewers do not score.
  const scored = mayEdit && call && call.joined !== false ? call.id : null;

  function leave(forEveryone: boolean) {
    const left = kept.leave(forEveryone).then(() => refreshCalls(queryClient));
    if (scored === null) void left.then(() => navigate('/app'));
  }

  if (phase === 'over') return <AfterCall callId={scored} endedByOthers={ending === 'ended'} />;
  return (
    <>
      <title>{`${waiting > 0 ? `(${waiting}) ` : ''}${room.topic} · ${t('product')}`}</title>
      <CallLayout
        header={
          <CallHeader
            room={room}
            call={call}
            mayEdit={mayEdit}
            others={othersInCall(roster)}
            onLeave={leave}
          />
        }
        video={<VideoArea room={room} isWaiting={!mayEdit && phase === 'waiting'} />}
        panel={<CallPanel session={session} room={room} mayEdit={mayEdit} />}
      />
      {startFailure !== null && (
        <StartFailure error={startFailure} onRetry={() => session.start()} />
      )}
    </>
  );
}
