export type DeviceKind = 'audio' | 'video';

/** Each way in which a device can be missing or refused; texts/en/meet-later.json has the instructions. */
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

/** What the browser reports besides the error itself. */
export type Circumstances = {
  permission: PermissionState | 'unknown';
  /** False if the embedding page does not allow the device for the frame. */
  allowedInFrame: boolean;
};

/** Error names: Media Capture and Streams, 10.2. Messages: Chromium and Firefox. */
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
  // The site may use the device and is refused nevertheless: the system blocks it.
  if (/system/i.test(message) || permission === 'granted') return 'blockedBySystem';
  if (/dismissed/i.test(message) || permission === 'prompt') return 'dismissed';
  return 'blocked';
}

/** Returns the problem that is known before any device is requested, or null. */
export function obstacle(place: {
  isSecureContext: boolean;
  hasMediaDevices: boolean;
}): DeviceProblem | null {
  if (place.hasMediaDevices) return null;
  return place.isSecureContext ? 'unsupported' : 'insecure';
}
