/**
 * Runs in a page before its own code: the camera turns white, and the microphone beeps, at each full second of this
 * machine's clock, so that what several pages have recorded at the same moment can be compared.
 */
export function flashingDevices(): void {
  const everyMs = 1_000;
  const flashMs = 200;
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const tracks = (await ask(wanted)).getTracks();
    return new MediaStream(
      tracks.map((real) => inPlaceOf(real, real.kind === 'video' ? flashing() : beeping())),
    );
  };

  /** The page sees the settings of the real device, and stops both. */
  function inPlaceOf(real: MediaStreamTrack, track: MediaStreamTrack): MediaStreamTrack {
    const stop = track.stop.bind(track);
    return Object.assign(track, {
      getSettings: () => real.getSettings(),
      getCapabilities: () => real.getCapabilities(),
      applyConstraints: async () => {},
      stop: () => {
        stop();
        real.stop();
      },
    });
  }

  function flashing(): MediaStreamTrack {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 720 });
    const context = canvas.getContext('2d');
    const draw = () => {
      if (!context) return;
      const isFlash = Date.now() % everyMs < flashMs;
      context.fillStyle = isFlash ? 'white' : 'black';
      context.fillRect(0, 0, canvas.width, canvas.height);
      // Something moves, so that there are as many pictures as of a person.
      context.fillStyle = isFlash ? 'black' : 'gray';
      context.fillRect((Date.now() / 5) % canvas.width, 650, 40, 40);
    };
    draw();
    setInterval(draw, 1000 / 30);
    const [track] = canvas.captureStream(30).getVideoTracks();
    if (!track) throw new Error('the canvas has no track');
    return track;
  }

  function beeping(): MediaStreamTrack {
    const context = new AudioContext();
    const gain = new GainNode(context, { gain: 0 });
    const target = context.createMediaStreamDestination();
    const tone = new OscillatorNode(context, { frequency: 880 });
    tone.connect(gain).connect(target);
    tone.start();
    let next = 0;
    setInterval(() => {
      const due = Math.ceil((Date.now() + 50) / everyMs) * everyMs;
      if (due === next) return;
      next = due;
      const at = context.currentTime + (due - Date.now()) / 1000;
      gain.gain.setValueAtTime(0.5, at).setValueAtTime(0, at + flashMs / 1000);
    }, 100);
    const [track] = target.stream.getAudioTracks();
    if (!track) throw new Error('the tone has no track');
    return track;
  }
}
