import { loudness, type SpeechDetector } from './phrase-cutter.ts';

/** Windows in which the quietest one is the noise of the room: 4 s. */
const floorWindows = 125;
/** Ratios to the floor that begin speech and that keep it: 12 and 7 dB. */
const opens = 16;
const holds = 5;
/** Quieter than any voice: -50 dB of full scale. */
const leastPower = 1e-5;
/** Between the loud and the quiet moments of speech: 9 dB. Noise is steadier. */
const leastSpread = 8;
/** Windows above the threshold before it opens: a click is shorter. */
const windowsToOpen = 3;

/**
 * Finds speech by its loudness against the noise of the room, where Silero cannot be loaded. It tells
 * steady noise by its steadiness; music and clatter pass, which Silero keeps out.
 */
export class EnergyGate implements SpeechDetector {
  #powers: number[] = [];
  #isOpen = false;
  #above = 0;

  isSpeech(window: Float32Array): boolean {
    const power = loudness(window);
    this.#powers.push(power);
    if (this.#powers.length > floorWindows) this.#powers.shift();
    const floor = Math.max(quantile(this.#powers, 0.1), leastPower / opens);
    const threshold = floor * (this.#isOpen ? holds : opens);
    this.#above = power > threshold ? this.#above + 1 : 0;
    this.#isOpen = this.#isOpen ? power > threshold : this.#above >= windowsToOpen;
    return this.#isOpen;
  }

  confirms(windows: readonly Float32Array[]): boolean {
    const powers = windows.map(loudness);
    return quantile(powers, 0.9) > leastSpread * quantile(powers, 0.1);
  }

  reset(): void {
    this.#isOpen = false;
    this.#above = 0;
  }
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
