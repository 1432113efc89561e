/** Application close codes (RFC 6455 leaves 4000-4999 to applications). */
export const closeCodes = {
  badMessage: 4400,
  tokenRefused: 4401,
  removed: 4403,
  roomGone: 4404,
  silent: 4408,
  roomFull: 4409,
  callEnded: 4410,
  replaced: 4411,
  locked: 4423,
  /** The lobby: a host denied the guest, or no host answered in time. */
  refusedEntry: 4424,
  waitedTooLong: 4425,
  protocolTooOld: 4426,
  /** Too many guests of this link and network are in the lobby or the preview. */
  crowded: 4428,
  /** Outside the room's opening hours. */
  roomClosed: 4427,
  /** More messages than a page ever sends. */
  flooding: 4429,
} as const;

/** WebSocket close code 1001 (RFC 6455, section 7.4.1): a browser navigates away from the page. */
export const goingAway = 1001;

/** WebSocket close code 1012 (IANA registry): the page soon connects again, with a new hello. */
export const sayHelloAgain = 1012;

/** WebSocket close code 1013 (IANA registry): the page connects again, later and later. */
export const tryAgainLater = 1013;

/** Of speech: the transcript was stopped, the participant did not agree or withdrew, or no service is set up. */
export const notCapturedCode = 4430;
