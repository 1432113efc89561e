import type { Recording } from '#domain/recordings/contract.ts';
import { Player } from './player.ts';

/** Returns a player with the page's own video elements and clock. */
export const pagePlayer = (
  recording: Pick<Recording, 'people' | 'durationMs'>,
  renew: () => void,
  startMs = 0,
) =>
  new Player<HTMLVideoElement>(
    recording,
    {
      createElement: ({ posterUrl }) => {
        const video = document.createElement('video');
        video.playsInline = true;
        video.disablePictureInPicture = true;
        video.tabIndex = -1;
        video.className = 'size-full object-contain';
        if (posterUrl) video.poster = posterUrl;
        return video;
      },
      now: () => performance.now(),
      every: (ms, tick) => {
        const timer = setInterval(tick, ms);
        return () => clearInterval(timer);
      },
      renew,
    },
    startMs,
  );

export type PagePlayer = ReturnType<typeof pagePlayer>;
