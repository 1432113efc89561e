type Shown = {
  picture: HTMLVideoElement | null;
  visible: boolean;
  changed: () => void;
};

/** Where on the page each stream is seen: a media server sends what is seen, as large as it is seen. */
const known = new WeakMap<MediaStream, Shown>();

/** Before anything on the page shows it, it counts as seen: its first picture is what is waited for. */
const shownFirst = { width: 640, height: 360 };

function shownOf(stream: MediaStream): Shown {
  const shown = known.get(stream) ?? { picture: null, visible: true, changed: () => {} };
  known.set(stream, shown);
  return shown;
}

/** Says that this picture shows the stream. @returns how to say whether it is seen, and the end */
export function placePicture(stream: MediaStream, picture: HTMLVideoElement) {
  const shown = shownOf(stream);
  shown.picture = picture;
  const resized = new ResizeObserver(() => shown.changed());
  resized.observe(picture);
  const tell = (visible: boolean) => {
    shown.visible = visible;
    shown.changed();
  };
  return {
    tell,
    end: () => {
      resized.disconnect();
      if (shown.picture !== picture) return;
      shown.picture = null;
      tell(false);
    },
  };
}

/** How a stream is seen just now, and the next change. */
export function followPlace(stream: MediaStream, changed: () => void) {
  const shown = shownOf(stream);
  shown.changed = changed;
  return {
    visible: () => shown.visible,
    width: () => shown.picture?.clientWidth ?? shownFirst.width,
    height: () => shown.picture?.clientHeight ?? shownFirst.height,
    stop: () => {
      shown.changed = () => {};
    },
  };
}
