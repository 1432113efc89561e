const quietest = 0.01;

/**
 * Calls back on each animation frame with the microphone's loudness, 0 to 1. Returns a function
 * that stops it.
 */
export function watchLevel(track: MediaStreamTrack, onLevel: (level: number) => void): () => void {
  const microphone = listenTo(track, 512);
  let level = 0;
  let frame = requestAnimationFrame(function measure() {
    const samples = microphone.samples();
    // Rises immediately and falls slowly, like the needle of a meter.
    level = Math.max(track.enabled ? loudness(samples) : 0, level * 0.88);
    onLevel(level);
    frame = requestAnimationFrame(measure);
  });
  return () => {
    cancelAnimationFrame(frame);
    microphone.stop();
  };
}

export type Listening = {
  /** False until the browser allows audio to be measured; until then all samples are zero. */
  hears: () => boolean;
  samples: () => Float32Array;
  stop: () => void;
};

/** @param size how many of the last samples are returned, a power of 2 */
export function listenTo(track: MediaStreamTrack, size: number): Listening {
  const context = new AudioContext();
  const analyzer = context.createAnalyser();
  analyzer.fftSize = size;
  context.createMediaStreamSource(new MediaStream([track])).connect(analyzer);
  const samples = new Float32Array(size);
  // Browsers allow audio to be measured only after a user gesture.
  const wake = () => void context.resume();
  addEventListener('pointerdown', wake);
  addEventListener('keydown', wake);
  return {
    hears: () => context.state === 'running',
    samples: () => {
      analyzer.getFloatTimeDomainData(samples);
      return samples;
    },
    stop: () => {
      removeEventListener('pointerdown', wake);
      removeEventListener('keydown', wake);
      void context.close();
    },
  };
}

/** The root mean square in decibels, scaled: -40 dB is 0, full scale 1. */
export function loudness(samples: Float32Array): number {
  const mean = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  const root = Math.sqrt(mean);
  return root <= quietest ? 0 : Math.min(1, 1 + Math.log10(root) / 2);
}
