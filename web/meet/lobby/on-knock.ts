import type { ToBrowser } from '#domain/calls/live.ts';
import { Frame } from '../frame.ts';
import type { Meeting } from '../meeting.ts';
import { knock } from './knock-sound.ts';

/** Refusals of what a host wanted to do with a guest. */
const ofLobby = /^(not_waiting|already_(admitted|denied))$/;

const told = new WeakSet<Meeting>();

/** A guest waits: rings. From the first one on, the page around this one says what the server refuses about guests. */
export function onKnock(meeting: Meeting): void {
  knock();
  if (told.has(meeting)) return;
  told.add(meeting);
  const frame = new Frame(window);
  meeting.onMessage((message) => postRefusal(frame, message));
}

/** Posts that another host was first, for example. */
export function postRefusal(frame: Pick<Frame, 'post'>, said: ToBrowser): void {
  if (said.type !== 'refused' || !ofLobby.test(said.code)) return;
  const { code, message } = said;
  frame.post({ type: 'refused', code, message });
}
