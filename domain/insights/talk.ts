import { z } from 'zod';
import { participantId } from '#domain/ids.ts';

export const talker = z.object({
  participantId,
  name: z.string(),
  side: z.enum(['team', 'customer']),
  talkMs: z.int().min(0),
  /** Of the time in which someone spoke. */
  share: z.number().min(0).max(1),
  /** The longest time without another person's phrase. */
  longestMs: z.int().min(0),
  /** When that began, in milliseconds after the call's start. */
  longestStartMs: z.int().min(0),
});
export type Talker = z.infer<typeof talker>;

export interface SpokenPhrase {
  participantId: Talker['participantId'];
  speaker: string;
  side: Talker['side'];
  startMs: number;
  endMs: number;
}

/** Pauses of a speaker that are no longer than this belong to one monologue. */
const longestPauseMs = 5000;

/**
 * Returns who spoke for how long, most first. Computed from the times of the phrases, by no model.
 * @param phrases in the order in which they began
 */
export function talkOf(phrases: readonly SpokenPhrase[]): Talker[] {
  const talkers = new Map<string, Talker>();
  let run = { speaker: '', startMs: 0, endMs: 0 };
  for (const { participantId: id, startMs, endMs, ...phrase } of phrases) {
    const talker = talkers.get(id) ?? newTalker({ participantId: id, startMs, endMs, ...phrase });
    talkers.set(id, talker);
    talker.talkMs += endMs - startMs;
    const goesOn = run.speaker === id && startMs - run.endMs <= longestPauseMs;
    run = goesOn ? { ...run, endMs: Math.max(run.endMs, endMs) } : { speaker: id, startMs, endMs };
    if (run.endMs - run.startMs <= talker.longestMs) continue;
    talker.longestMs = run.endMs - run.startMs;
    talker.longestStartMs = run.startMs;
  }
  const total = [...talkers.values()].reduce((sum, { talkMs }) => sum + talkMs, 0);
  return [...talkers.values()]
    .map((talker) => ({ ...talker, share: total === 0 ? 0 : talker.talkMs / total }))
    .sort((a, b) => b.talkMs - a.talkMs);
}

const newTalker = ({ participantId: id, speaker, side, startMs }: SpokenPhrase): Talker => ({
  participantId: id,
  name: speaker,
  side,
  talkMs: 0,
  share: 0,
  longestMs: 0,
  longestStartMs: startMs,
});
