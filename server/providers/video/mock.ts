import type { VideoEngine } from './port.ts';

/** The simulated call of a demo: `mock-video` in its address marks it (docs/product-decisions.md). */
export const mockVideo = (): VideoEngine => ({
  name: 'mock',
  page: null,
  mediaServer: null,
  admit: async ({ publicUrl, roomId, meetingToken }) => ({
    dailyUrl: `${publicUrl}/mock-video/${roomId}`,
    meetingToken,
  }),
});
