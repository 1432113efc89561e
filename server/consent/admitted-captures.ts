import type { CaptureKind } from '#domain/consent/capture.ts';
import type { CaptureState, ConsentState } from '#domain/consent/live.ts';
import type { CallId } from '#domain/ids.ts';
import { consentOf } from './answer.ts';
import { type CaptureMeans, kindsWith } from './capture-means.ts';
import { modesOfRoom, type RoomModes } from './capture-settings.ts';
import { kindsThatStart, type StoredCaptures, shownCaptures, stateOfCall } from './captures.ts';

export type CallCaptures = CaptureState & { callId: string };

/** What an admission reads about captures: of the room, of its running call, and of the participant. */
export interface AdmittedCaptures {
  state: CallCaptures | null;
  /** Kinds that staff may start. */
  capturable: CaptureKind[];
  /** Kinds that start with the call, and have not been started in it. */
  starting: CaptureKind[];
  consent: ConsentState | null;
}

export interface CaptureColumns {
  capture_modes: RoomModes;
  captures: StoredCaptures | null;
  consent: ConsentState | null;
}

/** SQL for the columns; the room is named `r` in the query. */
export const captureColumns = (call: string, participant: string) =>
  `${modesOfRoom} as capture_modes, ${stateOfCall('r.org_id', `${call}.id`)} as captures,
      ${consentOf('r.org_id', participant)} as consent`;

export function admittedCaptures(
  { capture_modes: modes, captures, consent }: CaptureColumns,
  callId: CallId | null,
  means: CaptureMeans,
): AdmittedCaptures {
  const kinds = kindsWith(modes, means);
  return {
    state: callId && captures && { callId, ...shownCaptures(captures) },
    capturable: kinds.filter((kind) => modes[kind]),
    starting: kindsThatStart(modes, captures?.had ?? [], kinds),
    consent,
  };
}

/** Returns what a participant is asked about before joining: what runs, or starts with the call. */
export function asksBeforeJoining(
  { starting }: AdmittedCaptures,
  state: CaptureState | null,
): CaptureKind[] {
  const running = state?.running.map(({ kind }) => kind) ?? [];
  return [...running, ...starting.filter((kind) => !running.includes(kind))];
}

/** Returns what a welcome says about captures: nothing where nothing may be captured. */
export function shownInWelcome(
  admitted: AdmittedCaptures,
  known: CallCaptures | null,
  call: string | null,
) {
  const captures = known?.callId === call ? known : null;
  const asks = asksBeforeJoining(admitted, captures);
  const { capturable } = admitted;
  return {
    ...(captures && { captures }),
    ...(capturable.length > 0 && { capturable }),
    ...(asks.length > 0 && { asks }),
  };
}
