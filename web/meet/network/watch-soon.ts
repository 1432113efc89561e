import type { Meeting } from '../meeting.ts';
import type { Network } from './network.ts';
import type { PictureLevel } from './network-level.ts';

/** Judging a path takes its first seconds, and joining is not to wait for the file that does it. */
const watchAfterMs = 4_000;
/** A line on which two small files take longer than this has no room for the own picture. */
const mostLoadMs = 2_500;
/** So many times as long the picture waits for them: it may be the server that does not answer. */
const mostWaits = 12;

export function watchSoon(meeting: Meeting, network: Network): void {
  setTimeout(async () => {
    const hold = holdPicture(meeting);
    try {
      const [{ watchNetwork }, { watchPictures }] = await Promise.all([
        import('./network-watch.ts'),
        import('./watch-pictures.ts'),
      ]);
      hold.end();
      watchNetwork(meeting, network);
      watchPictures(meeting, network);
    } catch {
      // Not now: the network is what is bad. Without the files the call goes on.
      hold.giveBack();
      watchSoon(meeting, network);
    }
  }, watchAfterMs);
}

/** Until there is what judges the paths; that begins with what they are given here. */
function holdPicture(meeting: Meeting) {
  const give = (level: PictureLevel) => {
    for (const path of meeting.watched.values()) path.sendPicture(level);
  };
  let waits = 0;
  // Each time anew, for whoever has come meanwhile.
  const timer = setInterval(() => {
    waits += 1;
    if (waits > mostWaits) giveBack();
    // A line to the server that is lost says nothing of the paths to the others.
    else if (meeting.getSnapshot().link === 'online') give('paused');
  }, mostLoadMs);
  const end = () => clearInterval(timer);
  function giveBack(): void {
    end();
    if (waits > 0) give('full');
  }
  return { end, giveBack };
}
