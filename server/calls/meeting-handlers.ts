import type { MediaState } from '#domain/calls/participant.ts';
import type { Person } from './live-person.ts';
import type { MessageHandlers } from './message-handler.ts';
import type { Addressed } from './room-events.ts';
import { toOthers } from './roster-news.ts';

const changedEvent = (person: Person): Addressed => ({
  ...toOthers(person),
  message: { type: 'changed' },
});

/** Participants, their devices, and the negotiation of their peer connections. */
export const meetingHandlers = {
  signal: {
    channel: 'meeting',
    from: 'meeting',
    handle: ({ rooms, person }, { to, signal }) =>
      rooms.roster.relay(person, to, { type: 'signal', from: person.participant.id, signal }),
  },
  watch: {
    channel: 'meeting',
    from: 'meeting',
    handle: ({ rooms, person }, { to, camera, screen }) =>
      rooms.roster.relay(person, to, {
        type: 'watched',
        from: person.participant.id,
        camera,
        screen,
      }),
  },
  // Guests ask from the preview (live-lobby.ts).
  join: {
    channel: 'meeting',
    from: 'preview',
    publishes: changedEvent,
    handle: ({ rooms, person }, { media }) => rooms.join(person, media),
  },
  media: {
    channel: 'meeting',
    from: 'meeting',
    publishes: changedEvent,
    handle: ({ rooms, person }, { media }) =>
      rooms.roster.change(person, { media: withOurTime(media, person.participant.media) }, true),
  },
  'media-lost': {
    channel: 'meeting',
    handle: ({ rooms, person }, { room }) => rooms.mediaLost(person, room),
  },
} satisfies MessageHandlers<'signal' | 'watch' | 'join' | 'media' | 'media-lost'>;

/**
 * The time of a raised hand uses the server's clock, because pages sort by it, and theirs may be
 * hours off.
 */
function withOurTime(media: MediaState, before: MediaState): MediaState {
  if (media.hand === undefined) return media;
  return { ...media, hand: before.hand ?? new Date().toISOString() };
}
