/** Samples a second of what is recognized: what speech models are trained on. */
export const sampleRate = 16_000;

const headerBytes = 44;

/** Returns the beginning of a WAV file (RIFF, PCM, one channel, 16 bits) with so many bytes of samples. */
export function wavHeader(bytes: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0);
  header.writeUInt32LE(headerBytes - 8 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return header;
}

/** Returns samples between -1 and 1 as 16 bits, little-endian. */
export function pcmOf(samples: Float32Array): Buffer {
  const data = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, index) => {
    const bounded = Math.max(-1, Math.min(1, sample));
    data.writeInt16LE(Math.round(bounded * 32_767), index * 2);
  });
  return data;
}

/** Returns a WAV file of samples between -1 and 1. */
export function wavOf(samples: Float32Array): Buffer {
  const data = pcmOf(samples);
  return Buffer.concat([wavHeader(data.length), data]);
}
