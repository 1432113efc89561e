import type { VideoEngine } from './port.ts';

/** Calls on our own meeting page, which needs our token alone. */
export const ownPage = (name: VideoEngine['name']): VideoEngine => ({
  name,
  page: null,
  admit: async ({ publicUrl, roomId, meetingToken }) => ({
    dailyUrl: `${publicUrl}/meet/${roomId}`,
    meetingToken,
  }),
});
