/** Samples a second of what is recognized: what speech models are trained on. */
export const sampleRate = 16_000;

const headerBytes = 44;

/** Returns a WAV file (RIFF, PCM, one channel, 16 bits) of samples between -1 and 1. */
export function wavOf(samples: Float32Array): Buffer {
  const wav = Buffer.alloc(headerBytes + samples.length * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(sampleRate, 24);
  wav.writeUInt32LE(sampleRate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(samples.length * 2, 40);
  samples.forEach((sample, index) => {
    const bounded = Math.max(-1, Math.min(1, sample));
    wav.writeInt16LE(Math.round(bounded * 32_767), headerBytes + index * 2);
  });
  return wav;
}
