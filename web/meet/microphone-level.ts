const quietest = 0.01;

/** Calls back for each drawn frame with how loud the microphone is, 0 to 1. Returns the stop. */
export function watchLevel(track: MediaStreamTrack, onLevel: (level: number) => void): () => void {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  const source = context.createMediaStreamSource(new MediaStream([track]));
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let level = 0;
  let frame = requestAnimationFrame(function measure() {
    analyser.getFloatTimeDomainData(samples);
    // Up at once and down slowly, as a meter's needle goes.
    level = Math.max(track.enabled ? loudness(samples) : 0, level * 0.88);
    onLevel(level);
    frame = requestAnimationFrame(measure);
  });
  // Browsers let sound be measured only once the page was touched.
  const wake = () => void context.resume();
  addEventListener('pointerdown', wake);
  addEventListener('keydown', wake);
  return () => {
    cancelAnimationFrame(frame);
    removeEventListener('pointerdown', wake);
    removeEventListener('keydown', wake);
    void context.close();
  };
}

/** The root mean square on a scale of decibels: -40 dB is 0, full scale 1. */
export function loudness(samples: Float32Array): number {
  const mean = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  const root = Math.sqrt(mean);
  return root <= quietest ? 0 : Math.min(1, 1 + Math.log10(root) / 2);
}
