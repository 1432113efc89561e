import { loudness } from '../cutting/phrase-cutter.ts';

/** A phrase in a recorded file: when its words begin and end, and where its samples are. */
export interface CutPhrase {
  startMs: number;
  endMs: number;
  position: number;
  bytes: number;
}

const windowMs = 10;
const windowLength = windowMs * 16;
/** Quieter than the loudest moment by this ratio is not yet a word: 23 dB. */
const quieter = 200;

/** Returns where the words of a phrase begin and end: it was cut with a part of the pauses around it. */
export function spokenPart(samples: Float32Array): { fromMs: number; toMs: number } {
  const powers: number[] = [];
  for (let at = 0; at + windowLength <= samples.length; at += windowLength) {
    powers.push(loudness(samples.subarray(at, at + windowLength)));
  }
  const loudest = powers.reduce((most, power) => Math.max(most, power), 0);
  const isLoud = (power: number) => power > loudest / quieter;
  const first = powers.findIndex(isLoud);
  if (first < 0) return { fromMs: 0, toMs: powers.length * windowMs };
  return { fromMs: first * windowMs, toMs: (powers.findLastIndex(isLoud) + 1) * windowMs };
}
