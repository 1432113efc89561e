import type { Meeting } from '../meeting.ts';
import type { Speakers } from '../stage/speakers.ts';
import { makeVideoElement } from '../stage/video-element.ts';
import { foreground } from './foreground.ts';
import { takeButtons } from './session-buttons.ts';

/**
 * Opens picture-in-picture for one video: the active speaker's, else the self-view. Its buttons for
 * microphone, camera and leaving come from the media session, if the browser supports them.
 * @throws if there is no video to show
 */
export async function openPicture(meeting: Meeting, speakers: Speakers, gone: () => void) {
  const streamNow = () =>
    foreground(meeting.getSnapshot(), speakers.getSnapshot().active)?.stream ??
    meeting.media.getSnapshot().picture;
  const stream = streamNow();
  if (stream === null) throw new Error('there is no picture');
  const picture = makeVideoElement(stream);
  if (picture.readyState === HTMLMediaElement.HAVE_NOTHING) {
    await new Promise((resolve) =>
      picture.addEventListener('loadedmetadata', resolve, { once: true }),
    );
  }
  await picture.requestPictureInPicture();
  const follow = () => {
    const now = streamNow();
    if (now && picture.srcObject !== now) picture.srcObject = now;
  };
  const stops = [
    meeting.subscribe(follow),
    speakers.subscribe(follow),
    meeting.media.subscribe(follow),
    takeButtons(meeting),
  ];
  picture.addEventListener(
    'leavepictureinpicture',
    () => {
      for (const stop of stops) stop();
      picture.srcObject = null;
      gone();
    },
    { once: true },
  );
  return { window: null, close: () => void document.exitPictureInPicture().catch(() => {}) };
}
