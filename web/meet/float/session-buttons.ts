import type { Meeting } from '../meeting.ts';

const actions = ['togglemicrophone', 'togglecamera', 'hangup'] as const;
type Action = (typeof actions)[number];

/** Connects the buttons of picture-in-picture with this call. @returns a function that disconnects them */
export function takeButtons(meeting: Meeting): () => void {
  const { media } = meeting;
  const { mediaSession } = navigator;
  const wished = () => media.getSnapshot().wished;
  set({
    togglemicrophone: () => void media.switch('audio', !wished().audio),
    togglecamera: () => void media.switch('video', !wished().video),
    hangup: () => meeting.leave(),
  });
  const tell = () => {
    if (!('setMicrophoneActive' in mediaSession)) return;
    void mediaSession.setMicrophoneActive(wished().audio);
    void mediaSession.setCameraActive(wished().video);
  };
  tell();
  const stop = media.subscribe(tell);
  return () => {
    stop();
    set({ togglemicrophone: null, togglecamera: null, hangup: null });
  };
}

function set(handlers: Record<Action, (() => void) | null>): void {
  for (const action of actions) {
    try {
      navigator.mediaSession.setActionHandler(action, handlers[action]);
    } catch {
      // The browser does not support that button.
    }
  }
}
