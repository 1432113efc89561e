import type { VideoEngine } from './port.ts';

/** The simulated call of a demo, marked by `mock-video` in its URL (docs/product-decisions.md). */
export const mockVideo = (): VideoEngine => ({
  name: 'mock',
  joins: 'unknown',
  page: null,
  mediaServer: null,
  admit: async ({ publicUrl, roomId, meetingToken }) => ({
    dailyUrl: `${publicUrl}/mock-video/${roomId}`,
    meetingToken,
  }),
});
