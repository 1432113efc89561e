import Daily, { type DailyCall } from '@daily-co/daily-js';
import type { MediaState } from '#domain/calls/live.ts';
import { failureOf, type HostedFailure } from './daily-failure.ts';

export interface DailyEvents {
  onJoined: (media: MediaState) => void;
  onMedia: (media: MediaState) => void;
  onLeft: () => void;
  onFailed: (failure: HostedFailure) => void;
}

export interface DailyPage {
  turnMicrophone(on: boolean): void;
  /** Resolves when Daily's page has said goodbye; the frame is still there. */
  leave(): Promise<void>;
}

/**
 * Loads Daily's page into a frame and tells what happens in it. Sources: Daily's pages "Daily.wrap()"
 * and "join()", and daily-js's own types. Devices, the network, chat and screen sharing are told of by
 * Daily's page itself.
 */
export function openDailyPage(
  frame: HTMLIFrameElement,
  entrance: { dailyUrl: string; meetingToken: string },
  events: DailyEvents,
): DailyPage {
  // A frame that is closed leaves its call object behind; the next must not stumble over it.
  const call = Daily.wrap(frame, { allowMultipleCallInstances: true });
  let over = false;
  const end = (tell: () => void) => {
    if (over) return;
    over = true;
    tell();
  };
  call.on('joined-meeting', () => events.onJoined(mediaOf(call)));
  call.on('participant-updated', ({ participant }) => {
    if (participant.local) events.onMedia(mediaOf(call));
  });
  call.on('camera-error', () => events.onMedia(mediaOf(call)));
  call.on('left-meeting', () => end(events.onLeft));
  call.on('error', ({ error }) => end(() => events.onFailed(failureOf(error?.type))));
  void withoutOwnAddress(() =>
    call.join({ url: entrance.dailyUrl, token: entrance.meetingToken }),
  ).catch(() => end(() => events.onFailed('unreachable')));
  return {
    turnMicrophone: (on) => void call.setLocalAudio(on),
    leave: () => call.leave(),
  };
}

const mediaOf = (call: DailyCall): MediaState => ({
  // Null before Daily's page has said who is local.
  audio: call.localAudio() === true,
  video: call.localVideo() === true,
});

/** daily-js tells Daily the address of the page around the frame: a guest's link is not Daily's to know. */
function withoutOwnAddress<Result>(act: () => Result): Result {
  const { pathname, search, hash } = window.location;
  history.replaceState(history.state, '', '/');
  try {
    return act();
  } finally {
    history.replaceState(history.state, '', `${pathname}${search}${hash}`);
  }
}
