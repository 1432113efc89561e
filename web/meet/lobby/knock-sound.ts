/** Two short soft synthesized tones: a file would be one more thing to load. */
const tones = [
  { hertz: 659.26, atSeconds: 0 },
  { hertz: 880, atSeconds: 0.16 },
];
const lengthSeconds = 0.35;
const loudness = 0.12;

let output: AudioContext | null = null;

/** Plays when a guest is waiting. Silent as long as the browser blocks audio. */
export function knock(): void {
  output ??= new AudioContext();
  void output.resume();
  for (const { hertz, atSeconds } of tones) play(output, hertz, output.currentTime + atSeconds);
}

function play(to: AudioContext, hertz: number, from: number): void {
  const tone = new OscillatorNode(to, { frequency: hertz });
  const volume = new GainNode(to, { gain: 0 });
  volume.gain.setValueAtTime(0, from);
  volume.gain.linearRampToValueAtTime(loudness, from + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.001, from + lengthSeconds);
  tone.connect(volume).connect(to.destination);
  tone.start(from);
  tone.stop(from + lengthSeconds);
}
