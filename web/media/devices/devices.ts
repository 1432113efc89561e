import { askDevices } from '../early/early-devices.ts';
import { constraints } from './device-constraints.ts';
import {
  type Circumstances,
  type DeviceKind,
  type DeviceProblem,
  deviceProblem,
  obstacle,
} from './device-problem.ts';

export type Wish = { audio: boolean; video: boolean };
export type Chosen = {
  microphoneId?: string | undefined;
  cameraId?: string | undefined;
  speakerId?: string | undefined;
  /** Blur the background. */
  blur?: boolean | undefined;
};
export type Got = {
  tracks: MediaStreamTrack[];
  problems: Partial<Record<DeviceKind, DeviceProblem>>;
};
export type DeviceLists = {
  microphones: MediaDeviceInfo[];
  cameras: MediaDeviceInfo[];
  speakers: MediaDeviceInfo[];
};

/**
 * Requests all wanted devices together and, if that fails, each alone, so that one missing device
 * does not prevent the use of the other. Never throws: returns the problems instead.
 */
export async function getDevices(wish: Wish, chosen: Chosen, exact = false): Promise<Got> {
  const kinds = (['audio', 'video'] as const).filter((kind) => wish[kind]);
  const obstructed = obstacle({
    isSecureContext: window.isSecureContext,
    hasMediaDevices: 'mediaDevices' in navigator,
  });
  if (obstructed) return nothing(kinds, obstructed);
  if (kinds.length === 0) return { tracks: [], problems: {} };
  try {
    const stream = await askDevices(constraints(kinds, chosen, exact));
    return { tracks: stream.getTracks(), problems: {} };
  } catch (error) {
    if (kinds.length > 1) return separately(kinds, error, chosen, exact);
    return oneRefused(kinds, error);
  }
}

async function separately(
  kinds: DeviceKind[],
  error: unknown,
  chosen: Chosen,
  exact: boolean,
): Promise<Got> {
  const refused = error instanceof Error && error.name === 'NotAllowedError';
  const results = await Promise.all(
    kinds.map(async (kind) => {
      // A person who just dismissed the prompt does not get it two more times.
      const mayAsk = !refused || (await permissionOf(kind)) === 'granted';
      if (!mayAsk) return oneRefused([kind], error);
      return getDevices({ audio: kind === 'audio', video: kind === 'video' }, chosen, exact);
    }),
  );
  return {
    tracks: results.flatMap((result) => result.tracks),
    problems: Object.assign({}, ...results.map((result) => result.problems)),
  };
}

async function oneRefused(kinds: DeviceKind[], error: unknown): Promise<Got> {
  const problems: Got['problems'] = {};
  for (const kind of kinds) problems[kind] = deviceProblem(error, await circumstances(kind));
  return { tracks: [], problems };
}

function nothing(kinds: DeviceKind[], problem: DeviceProblem): Got {
  return { tracks: [], problems: Object.fromEntries(kinds.map((kind) => [kind, problem])) };
}

async function circumstances(kind: DeviceKind): Promise<Circumstances> {
  return { permission: await permissionOf(kind), allowedInFrame: allowedInFrame(kind) };
}

async function permissionOf(kind: DeviceKind): Promise<Circumstances['permission']> {
  try {
    const name = kind === 'audio' ? 'microphone' : 'camera';
    return (await navigator.permissions.query({ name })).state;
  } catch {
    return 'unknown';
  }
}

/** Chromium's document.featurePolicy. Without it, the frame counts as allowed. */
function allowedInFrame(kind: DeviceKind): boolean {
  const policy = 'featurePolicy' in document ? document.featurePolicy : null;
  if (typeof policy !== 'object' || policy === null || !('allowsFeature' in policy)) return true;
  const { allowsFeature } = policy;
  if (typeof allowsFeature !== 'function') return true;
  return allowsFeature.call(policy, kind === 'audio' ? 'microphone' : 'camera') !== false;
}

/** Devices have neither labels nor ids until one of them is allowed. */
export async function listDevices(): Promise<DeviceLists> {
  const all = 'mediaDevices' in navigator ? await navigator.mediaDevices.enumerateDevices() : [];
  const named = (kind: MediaDeviceKind) =>
    all.filter((device) => device.kind === kind && device.deviceId !== '');
  return {
    microphones: named('audioinput'),
    cameras: named('videoinput'),
    speakers: named('audiooutput'),
  };
}
