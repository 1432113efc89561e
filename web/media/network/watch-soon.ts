import type { MeetingConnections } from './meeting-connections.ts';
import type { Network } from './network.ts';
import type { VideoLevel } from './network-level.ts';

/** A connection can be judged after its first seconds, and joining does not wait for the code. */
const watchAfterMs = 4_000;
/** A network on which two small files take longer than this has no room for video. */
const mostLoadMs = 2_500;
/**
 * The video is paused for at most this many times as long: the server may be the one that does not
 * answer.
 */
const mostWaits = 12;

export function watchSoon(meeting: MeetingConnections, network: Network): void {
  setTimeout(async () => {
    const hold = holdVideo(meeting);
    try {
      const [{ watchNetwork }, { reportWantedVideo }] = await Promise.all([
        import('./network-watch.ts'),
        import('./wanted-video.ts'),
      ]);
      hold.end();
      watchNetwork(meeting, network);
      meeting.calm.begin();
      reportWantedVideo(meeting, network);
    } catch {
      // The network is bad: retries later. The call continues without the files.
      hold.restore();
      watchSoon(meeting, network);
    }
  }, watchAfterMs);
}

/** Pauses the video until the code that judges connections has loaded. */
function holdVideo(meeting: MeetingConnections) {
  const send = (level: VideoLevel) => {
    for (const connection of meeting.monitored.values()) connection.sendVideo(level);
  };
  let waits = 0;
  // Repeats it for participants who have joined meanwhile.
  const timer = setInterval(() => {
    waits += 1;
    if (waits > mostWaits) restore();
    // A lost socket does not mean that the connections to the others are bad.
    else if (meeting.getSnapshot().connection === 'online') send('paused');
  }, mostLoadMs);
  const end = () => clearInterval(timer);
  function restore(): void {
    end();
    if (waits > 0) send('full');
  }
  return { end, restore };
}
