/** Two short soft tones, made here: a file would be one thing more to load. */
const tones = [
  { hertz: 659.26, atSeconds: 0 },
  { hertz: 880, atSeconds: 0.16 },
];
const lengthSeconds = 0.35;
const loudness = 0.12;

let output: AudioContext | null = null;

/** Says that somebody waits. Silent where the browser lets no sound through yet. */
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
