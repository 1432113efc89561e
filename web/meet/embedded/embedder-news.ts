import type { RoomEvent, RoomParticipant } from '#domain/embedding/channel.ts';
import { othersInMeeting } from '#web/live/roster.ts';
import type { MeetingState } from '../meeting-state.ts';

/** What a page around the frame knows of a meeting. */
export interface Known {
  stage: 'outside' | 'waiting' | 'inside' | 'over';
  others: readonly RoomParticipant[];
  /** Null until it is known. */
  microphone: boolean | null;
}

export const knownAtFirst: Known = { stage: 'outside', others: [], microphone: null };

/** Returns what the page around the frame may know now: of the others, only their names, and only in the meeting. */
export function knownOf(state: MeetingState, microphone: boolean): Known {
  const stage = stageOf(state);
  const others = stage === 'inside' ? othersInMeeting(state.roster).map(nameOf) : [];
  return { stage, others, microphone };
}

function stageOf({ phase, wait, roster }: MeetingState): Known['stage'] {
  if (phase === 'over') return 'over';
  if (phase === 'preview') return 'outside';
  // `since` is set for a guest who has asked to be admitted.
  if (wait !== null) return wait.since === null ? 'outside' : 'waiting';
  return roster.self === null ? 'outside' : 'inside';
}

const nameOf = ({ id, name }: RoomParticipant): RoomParticipant => ({ id, name });

/** @param ending why the meeting is over */
export function newsBetween(before: Known, after: Known, ending: string | null): RoomEvent[] {
  const news: RoomEvent[] = [];
  if (after.microphone !== null && after.microphone !== before.microphone) {
    news.push({ type: 'microphone', on: after.microphone });
  }
  if (before.stage !== after.stage) news.push(...newStage(before, after, ending));
  else if (after.stage === 'inside') news.push(...changedOthers(before.others, after.others));
  return news;
}

function newStage(before: Known, { stage, others }: Known, ending: string | null): RoomEvent[] {
  const left: RoomEvent[] =
    before.stage === 'inside' ? [{ type: 'left', reason: ending ?? 'waiting' }] : [];
  switch (stage) {
    case 'waiting':
      return [...left, { type: 'waiting' }];
    case 'inside':
      return [{ type: 'joined', participants: [...others] }];
    case 'over':
      return [...left, ...failure(ending)];
    case 'outside':
      return left;
  }
}

function failure(ending: string | null): RoomEvent[] {
  if (ending === null || ending === 'left' || ending === 'callEnded') return [];
  return [{ type: 'error', code: ending, message: 'The person cannot be in this call.' }];
}

function changedOthers(
  before: readonly RoomParticipant[],
  after: readonly RoomParticipant[],
): RoomEvent[] {
  const missingIn = (list: readonly RoomParticipant[]) => {
    const ids = new Set(list.map(({ id }) => id));
    return ({ id }: RoomParticipant) => !ids.has(id);
  };
  return [
    ...before
      .filter(missingIn(after))
      .map((participant) => ({ type: 'participant-left' as const, participant })),
    ...after
      .filter(missingIn(before))
      .map((participant) => ({ type: 'participant-joined' as const, participant })),
  ];
}
