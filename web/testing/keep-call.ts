import type { FromMeeting } from '#domain/calls/frame-messages.ts';
import { type OpenedRoom, openedRoom } from '#domain/rooms/contract.ts';
import { openHostedFrame } from '#web/calls/call-frame.ts';
import { CallSession } from '#web/calls/call-session.ts';
import { KeptCall } from '#web/calls/kept-call.ts';
import { UnsavedEditsStore } from '#web/calls/unsaved-edits.ts';
import { FakeWebSocket } from '#web/live/fake-web-socket.ts';
import { someRoom } from '#web/testing/some.ts';

export const callRoom: OpenedRoom = openedRoom.parse({
  ...someRoom(),
  dailyUrl: 'https://x/meet/r',
  meetingToken: 'first',
});

type Said<Message> = Message extends FromMeeting ? Omit<Message, 'rapport'> : never;

/** A meeting in the call's frame, whose side is the test: what it was told, and what it says. */
export function openMeeting() {
  document.body.innerHTML = '<div id="stage"></div>';
  const told: object[] = [];
  let tell: (message: object) => void = () => {};
  openHostedFrame(callRoom.id, (_frame, say) => {
    tell = say;
    return { tell: (message) => void told.push(message), close: () => {} };
  });
  return { told, say: (message: Said<FromMeeting>) => tell(message) };
}

interface Keeping {
  newRoom?: () => Promise<OpenedRoom | undefined>;
  onClosed?: () => void;
}

/** Opens a call in this tab, over a socket whose server side is the test. */
export function keepCall({
  newRoom = () => Promise.resolve(undefined),
  onClosed = () => {},
}: Keeping) {
  const webSocket = new FakeWebSocket();
  const session = new CallSession({
    room: callRoom,
    mayEdit: false,
    unsaved: new UnsavedEditsStore(localStorage, 'ada'),
    openWebSocket: () => webSocket,
    newId: () => 'id',
    onFailure: () => {},
  });
  const call = new KeptCall({ room: callRoom, session, newRoom, onClosed });
  call.open();
  return { call, session, webSocket };
}
