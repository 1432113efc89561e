import type { MediaServer } from './media-server.ts';
import type { VideoEngine } from './port.ts';

/** Calls on our own meeting page, which needs only the meeting token. */
export const ownPage = (
  name: 'builtin' | 'livekit',
  mediaServer: MediaServer | null,
): VideoEngine => ({
  name,
  joins: 'page',
  page: null,
  mediaServer,
  admit: async ({ publicUrl, roomId, meetingToken }) => ({
    dailyUrl: `${publicUrl}/meet/${roomId}`,
    meetingToken,
  }),
});
