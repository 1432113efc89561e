/** How another participant's video arrives: seconds in a row without a new frame, and with. */
export type Arrival = { stillFor: number; movesFor: number };

export type Look = {
  /** Frames were decoded since the previous look. */
  moves: boolean;
  /** Looks in a row without any packet, neither audio nor video. */
  quietFor: number;
  /** The video is sent, and wanted. */
  expected: boolean;
};

export const beginArrival: Arrival = { stillFor: 0, movesFor: 0 };

/** Looks in a row without a packet after which a connection is silent. */
export const silentAfter = 2;
const missingAfter = 4;
/** A narrow network delivers delayed frames in one burst, which does not yet mean that video arrives. */
const backAfter = 2;

export function nextArrival(arrival: Arrival, { moves, quietFor, expected }: Look): Arrival {
  // A connection that was silent starts over: its video is still to come.
  if (quietFor >= silentAfter || !expected) return beginArrival;
  if (quietFor > 0) return arrival;
  if (!moves) return { stillFor: arrival.stillFor + 1, movesFor: 0 };
  const movesFor = arrival.movesFor + 1;
  const isBack = !isMissing(arrival) || movesFor >= backAfter;
  return { stillFor: isBack ? 0 : arrival.stillFor, movesFor };
}

/** Audio arrives and video does not. */
export const isMissing = ({ stillFor }: Arrival) => stillFor >= missingAfter;
