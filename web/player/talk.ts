import type { ParticipantId } from '#domain/ids.ts';
import type { RecordedPerson } from '#domain/recordings/contract.ts';
import type { TranscriptLine } from '#domain/transcripts/contract.ts';
import { differentHues } from '#web/ui/tint.ts';
import { type Stretch, soundOf } from './silence.ts';

/** Pauses within a turn, which its bar does not show. */
const longestPauseMs = 1200;
/** Shorter sounds are a cough or a click. */
const shortestTurnMs = 300;
const stepMs = 100;

/** One row of the timeline. */
export interface Lane {
  participantId: ParticipantId;
  name: string;
  /** In degrees; the lanes of a call have different ones as far as possible. */
  hue: number;
  talk: Stretch[];
}

/** Returns when each person talks: from the recording, and from the transcript for people without one. */
export function lanesOf(
  people: readonly RecordedPerson[],
  lines: readonly TranscriptLine[],
): Lane[] {
  const lanes = new Map<ParticipantId, Omit<Lane, 'hue'>>();
  for (const { participantId, name, tracks } of people) {
    const voices = tracks.filter(({ source }) => source === 'camera' || source === 'microphone');
    const files = voices.flatMap(({ files }) => files);
    const talk = joined(files.flatMap(({ startMs, waveform }) => talkIn(waveform, startMs)));
    if (talk.length > 0) lanes.set(participantId, { participantId, name, talk });
  }
  const recorded = new Set(lanes.keys());
  for (const { participantId, name, startMs, endMs } of lines) {
    if (recorded.has(participantId)) continue;
    const lane = lanes.get(participantId) ?? { participantId, name, talk: [] };
    lane.talk.push({ startMs, endMs });
    lanes.set(participantId, lane);
  }
  const hues = differentHues([...lanes.values()].map(({ name }) => name));
  return [...lanes.values()].map((lane, index) => ({
    ...lane,
    hue: hues[index] ?? 0,
    talk: joined(lane.talk),
  }));
}

function talkIn(waveform: readonly number[], startMs: number): Stretch[] {
  return soundOf(waveform).flatMap((isHeard, index) =>
    isHeard ? [{ startMs: startMs + index * stepMs, endMs: startMs + (index + 1) * stepMs }] : [],
  );
}

function joined(stretches: readonly Stretch[]): Stretch[] {
  const turns: Stretch[] = [];
  for (const { startMs, endMs } of stretches.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = turns.at(-1);
    if (last && startMs - last.endMs <= longestPauseMs) last.endMs = Math.max(last.endMs, endMs);
    else turns.push({ startMs, endMs });
  }
  return turns.filter((turn) => turn.endMs - turn.startMs >= shortestTurnMs);
}

/** Whether a lane's person talks at a position. */
export function isTalking({ talk }: Lane, positionMs: number): boolean {
  return talk.some(({ startMs, endMs }) => positionMs >= startMs && positionMs < endMs);
}

/** Returns the share of the talk that is this lane's, 0 to 1. */
export function talkShare(lane: Lane, lanes: readonly Lane[]): number {
  const all = lanes.reduce((sum, one) => sum + talkMs(one), 0);
  return all === 0 ? 0 : talkMs(lane) / all;
}

const talkMs = ({ talk }: Lane) => talk.reduce((sum, one) => sum + one.endMs - one.startMs, 0);
