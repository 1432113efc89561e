import type { Recording } from '#domain/recordings/contract.ts';

/** Values of a waveform in a second. */
const valuesPerSecond = 10;
const stepMs = 1000 / valuesPerSecond;
/** Shorter pauses belong to the conversation. */
const leastSilenceMs = 2000;
/** Left at both ends of a pause, so that no word is cut. */
const marginMs = 400;

export interface Stretch {
  startMs: number;
  endMs: number;
}

/** Returns for each tenth of a second whether a file has sound that stands out from its own noise. */
export function soundOf(waveform: readonly number[]): boolean[] {
  const sorted = waveform.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  const floor = at(0.1);
  const range = at(0.97) - floor;
  // Noise alone has hardly any range: nothing of it stands out.
  const least = range < 8 ? 256 : floor + range * 0.15;
  return waveform.map((value) => value >= least);
}

/** Returns the stretches in which none of the recorded people is heard, in order. */
export function silencesOf(recording: Pick<Recording, 'people' | 'durationMs'>): Stretch[] {
  const length = Math.ceil(recording.durationMs / stepMs);
  const isHeard = new Uint8Array(length);
  for (const { startMs, waveform } of filesOf(recording)) {
    const first = Math.round(startMs / stepMs);
    const sound = soundOf(waveform);
    for (const [index, heard] of sound.entries()) if (heard) isHeard[first + index] = 1;
  }
  const silences: Stretch[] = [];
  let start = 0;
  for (let index = 0; index <= length; index += 1) {
    if (index < length && isHeard[index] !== 1) continue;
    const stretch = { startMs: start * stepMs + marginMs, endMs: index * stepMs - marginMs };
    if (stretch.endMs - stretch.startMs >= leastSilenceMs - 2 * marginMs) silences.push(stretch);
    start = index + 1;
  }
  return silences;
}

const filesOf = ({ people }: Pick<Recording, 'people'>) =>
  people.flatMap(({ tracks }) => tracks.flatMap(({ files }) => files));
