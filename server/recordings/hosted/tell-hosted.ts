import type { RoomId } from '#domain/ids.ts';
import { tellRoom } from '#server/calls/room-events.ts';
import type { LiveBus } from '#server/platform/live-bus.ts';
import type { HostedRow } from './hosted-rows.ts';
import { type RecordedRoom, waitingFor } from './people-of-room.ts';

/** What people in a hosted call are told about its recording (domain/consent/live.ts). */
export interface HostedState {
  state: 'off' | 'waiting' | 'starting' | 'recording' | 'failing' | 'stopping';
  waitingFor: number;
}

/** A failure shows for as long as nothing is tried again. */
const failureShownMs = 30_000;

interface Found {
  /** People in the provider's room who have not agreed. */
  strangers: number;
  hasFailed: boolean;
}

export function hostedState(
  wanted: RecordedRoom | null,
  rows: readonly HostedRow[],
  { strangers, hasFailed }: Found,
): HostedState {
  const missing = wanted ? Math.max(waitingFor(wanted), strangers) : 0;
  const nameOf = (): HostedState['state'] => {
    if (rows.some(({ stoppedAt, isStopConfirmed }) => stoppedAt && !isStopConfirmed))
      return 'stopping';
    const running = rows.find(({ stoppedAt }) => !stoppedAt);
    if (running) return running.isConfirmed ? 'recording' : 'starting';
    if (!wanted) return 'off';
    return missing === 0 && (hasFailed || hasJustFailed(rows)) ? 'failing' : 'waiting';
  };
  return { state: nameOf(), waitingFor: missing };
}

export const hasJustFailed = (rows: readonly HostedRow[]): boolean =>
  rows.some(
    ({ error, stoppedAt }) =>
      error !== null && stoppedAt && Date.now() - stoppedAt.getTime() < failureShownMs,
  );

/** What was told last in rooms that are, or were just, recorded. */
const told = new Map<RoomId, string>();

/** @param isAsked whether someone new may listen, who has heard nothing yet */
export function tellHosted(bus: LiveBus, room: RoomId, state: HostedState, isAsked: boolean): void {
  const text = JSON.stringify(state);
  if (told.get(room) === text ? !isAsked : state.state === 'off' && !told.has(room)) return;
  if (state.state === 'off') told.delete(room);
  else told.set(room, text);
  tellRoom(bus, room, { channel: 'meeting', message: { type: 'hosted-recording', ...state } });
}
