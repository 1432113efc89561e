/** How another's picture comes: seconds in a row without a new one, and with. */
export type Arrival = { stillFor: number; movesFor: number };

export type Look = {
  /** Pictures were decoded since the look before. */
  moves: boolean;
  /** Looks in a row at which nothing at all had come, neither voice nor picture. */
  quietFor: number;
  /** It is sent, and asked for. */
  expected: boolean;
};

export const beginArrival: Arrival = { stillFor: 0, movesFor: 0 };

/** Looks in a row without a packet after which a path is silent. */
export const silentAfter = 2;
const missingAfter = 4;
/** A narrow network delivers what it held back in one go: that is not yet a picture that moves. */
const backAfter = 2;

export function nextArrival(arrival: Arrival, { moves, quietFor, expected }: Look): Arrival {
  // A path that was silent as a whole begins anew: its picture is on the way.
  if (quietFor >= silentAfter || !expected) return beginArrival;
  if (quietFor > 0) return arrival;
  if (!moves) return { stillFor: arrival.stillFor + 1, movesFor: 0 };
  const movesFor = arrival.movesFor + 1;
  const isBack = !isMissing(arrival) || movesFor >= backAfter;
  return { stillFor: isBack ? 0 : arrival.stillFor, movesFor };
}

/** The voice comes and the picture does not. */
export const isMissing = ({ stillFor }: Arrival) => stillFor >= missingAfter;
