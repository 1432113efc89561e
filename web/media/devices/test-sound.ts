/** Two synthesized tones of a third of a second each: a file would be one more thing to load. */
const tones = [
  { hertz: 523.25, atSeconds: 0.05 },
  { hertz: 783.99, atSeconds: 0.45 },
];
const toneSeconds = 0.35;
const wholeSeconds = 0.9;
const loudness = 0.3;

/** Resolves when the tones have been played. @throws if the browser cannot play to that speaker */
export async function playTones(speakerId: string): Promise<void> {
  const context = new AudioContext();
  try {
    const out = context.createMediaStreamDestination();
    const speaker = new Audio();
    if ('setSinkId' in speaker) await speaker.setSinkId(speakerId);
    speaker.srcObject = out.stream;
    await Promise.all([context.resume(), speaker.play()]);
    await played(context, out);
    speaker.srcObject = null;
  } finally {
    await context.close();
  }
}

function played(context: AudioContext, out: AudioNode): Promise<void> {
  const begin = context.currentTime;
  for (const { hertz, atSeconds } of tones) {
    const from = begin + atSeconds;
    const tone = new OscillatorNode(context, { frequency: hertz });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(loudness, from + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.001, from + toneSeconds);
    tone.connect(volume).connect(out);
    tone.start(from);
    tone.stop(from + toneSeconds);
  }
  const end = new ConstantSourceNode(context, { offset: 0 });
  end.connect(out);
  end.start(begin);
  end.stop(begin + wholeSeconds);
  return new Promise((resolve) => end.addEventListener('ended', () => resolve(), { once: true }));
}
