/** How a worker keeps up with a camera, looked at second by second. */
export type Pace = {
  /** When the second began; times in ms. */
  from: number;
  frames: number;
  busyMs: number;
  /** How long it has been too slow by now. */
  slowForMs: number;
};

/** A picture of less than that stutters. */
const fewestFrames = 12;
/** A camera in the dark gives few frames too: then the worker waits most of the time. */
const mostlyBusy = 0.8;
const bearableForMs = 4_000;

export const beginPace = (now: number): Pace => ({ from: now, frames: 0, busyMs: 0, slowForMs: 0 });

/** Another frame was drawn. */
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
