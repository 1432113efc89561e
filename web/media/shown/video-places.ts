type Shown = {
  element: HTMLVideoElement | null;
  visible: boolean;
  changed: () => void;
};

/** Where the page shows each stream: an SFU sends visible videos only, in the size in which they are shown. */
const known = new WeakMap<MediaStream, Shown>();

/** A stream counts as visible before an element shows it, so that its first frame arrives. */
const shownFirst = { width: 640, height: 360 };

function shownOf(stream: MediaStream): Shown {
  const shown = known.get(stream) ?? { element: null, visible: true, changed: () => {} };
  known.set(stream, shown);
  return shown;
}

/** Registers the element that shows the stream. @returns functions that report its visibility, and its end */
export function placeVideo(stream: MediaStream, element: HTMLVideoElement) {
  const shown = shownOf(stream);
  shown.element = element;
  const resized = new ResizeObserver(() => shown.changed());
  resized.observe(element);
  const setVisible = (visible: boolean) => {
    shown.visible = visible;
    shown.changed();
  };
  return {
    setVisible,
    end: () => {
      resized.disconnect();
      if (shown.element !== element) return;
      shown.element = null;
      setVisible(false);
    },
  };
}

/** Returns how a stream is shown, and calls `changed` on each change. */
export function followVideoPlace(stream: MediaStream, changed: () => void) {
  const shown = shownOf(stream);
  shown.changed = changed;
  return {
    visible: () => shown.visible,
    width: () => shown.element?.clientWidth ?? shownFirst.width,
    height: () => shown.element?.clientHeight ?? shownFirst.height,
    stop: () => {
      shown.changed = () => {};
    },
  };
}
