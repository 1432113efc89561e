import type { Participant } from '#domain/calls/participant.ts';

/** A participant in the meeting, for the tests of this folder. */
export const fakePerson = (id: string, changed: Partial<Participant> = {}): Participant => ({
  id,
  kind: 'guest',
  name: id,
  avatar: null,
  media: { audio: true, video: true },
  inMeeting: true,
  connected: true,
  ...changed,
});
