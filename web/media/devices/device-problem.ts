export type DeviceKind = 'audio' | 'video';

/** Each way in which a device can be missing or refused; texts/en/meet-later.json says what to do. */
export const deviceProblems = [
  'insecure',
  'unsupported',
  'missing',
  'blocked',
  'dismissed',
  'blockedBySystem',
  'blockedByFrame',
  'busy',
  'unsuitable',
  'interrupted',
  'unknown',
] as const;
export type DeviceProblem = (typeof deviceProblems)[number];

/** What the browser says beside the error itself. */
export type Circumstances = {
  permission: PermissionState | 'unknown';
  /** False where the page around the frame did not pass the device on. */
  allowedInFrame: boolean;
};

/** Names of errors: Media Capture and Streams, 10.2; messages: Chromium's and Firefox's own. */
export function deviceProblem(error: unknown, around: Circumstances): DeviceProblem {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' };
  switch (name) {
    case 'NotFoundError':
    case 'DevicesNotFoundError':
      return 'missing';
    case 'NotAllowedError':
    case 'PermissionDeniedError':
      return refusal(message, around);
    case 'NotReadableError':
    case 'TrackStartError':
      return 'busy';
    case 'OverconstrainedError':
    case 'ConstraintNotSatisfiedError':
      return 'unsuitable';
    case 'AbortError':
      return 'interrupted';
    case 'SecurityError':
      return 'blocked';
    default:
      return 'unknown';
  }
}

function refusal(message: string, { permission, allowedInFrame }: Circumstances): DeviceProblem {
  if (!allowedInFrame) return 'blockedByFrame';
  // The site may use the device, and yet it is refused: that is the system's own switch.
  if (/system/i.test(message) || permission === 'granted') return 'blockedBySystem';
  if (/dismissed/i.test(message) || permission === 'prompt') return 'dismissed';
  return 'blocked';
}

/** What is wrong before anybody is asked, or null. */
export function obstacle(place: {
  isSecureContext: boolean;
  hasMediaDevices: boolean;
}): DeviceProblem | null {
  if (place.hasMediaDevices) return null;
  return place.isSecureContext ? 'unsupported' : 'insecure';
}
