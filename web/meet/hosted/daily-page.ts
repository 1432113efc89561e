import Daily, { type DailyCall } from '@daily-co/daily-js';
import type { MediaState } from '#domain/calls/participant.ts';
import { failureOf, type HostedFailure } from './daily-failure.ts';

export interface DailyEvents {
  onJoined: (media: MediaState) => void;
  onMedia: (media: MediaState) => void;
  onLeft: () => void;
  onFailed: (failure: HostedFailure) => void;
}

export interface DailyPage {
  turnMicrophone(on: boolean): void;
  /** Resolves when Daily's page has left the call; the frame is still there. */
  leave(): Promise<void>;
}

/**
 * Loads Daily's page into a frame and reports its events. Sources: Daily's documentation of
 * "Daily.wrap()" and "join()", and daily-js's types. Daily's page itself reports on devices, the
 * network, chat and screen sharing.
 */
export function openDailyPage(
  frame: HTMLIFrameElement,
  entrance: { dailyUrl: string; meetingToken: string },
  events: DailyEvents,
): DailyPage {
  // A closed frame leaves its call object behind, and by default a second one throws.
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
  // Null before Daily's page has reported the local participant.
  audio: call.localAudio() === true,
  video: call.localVideo() === true,
});

/** daily-js sends Daily the address of the embedding page: Daily must not learn a guest link. */
function withoutOwnAddress<Result>(act: () => Result): Result {
  const { pathname, search, hash } = window.location;
  history.replaceState(history.state, '', '/');
  try {
    return act();
  } finally {
    history.replaceState(history.state, '', `${pathname}${search}${hash}`);
  }
}
