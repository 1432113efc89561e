/** How a worker keeps up with a camera, measured per second. */
export type Pace = {
  /** When the second began, in ms. */
  from: number;
  frames: number;
  busyMs: number;
  /** How long it has been too slow so far. */
  slowForMs: number;
};

/** A video with fewer frames per second stutters. */
const fewestFrames = 12;
/** A camera in the dark has a low frame rate, too; then the worker is idle most of the time. */
const mostlyBusy = 0.8;
const bearableForMs = 4_000;

export const beginPace = (now: number): Pace => ({ from: now, frames: 0, busyMs: 0, slowForMs: 0 });

/** Adds one drawn frame. */
export function nextPace(pace: Pace, startedAt: number, endedAt: number): Pace {
  const frames = pace.frames + 1;
  const busyMs = pace.busyMs + (endedAt - startedAt);
  const passedMs = endedAt - pace.from;
  if (passedMs < 1_000) return { ...pace, frames, busyMs };
  const isSlow = (frames * 1_000) / passedMs < fewestFrames && busyMs / passedMs > mostlyBusy;
  return {
    from: endedAt,
    frames: 0,
    busyMs: 0,
    slowForMs: isSlow ? pace.slowForMs + passedMs : 0,
  };
}

export const isTooSlow = ({ slowForMs }: Pace): boolean => slowForMs >= bearableForMs;
