/** What one path to another person carried in the second before. */
export type PathSample = {
  /** The part that got lost on the way, 0 to 1: of what was sent (null: no report came), of what should have come. */
  lossOut: number | null;
  lossIn: number;
  roundTripMs: number | null;
  /** What the browser thinks it may send, bit/s; null where it does not say. */
  availableBitrate: number | null;
  /** The own picture is worse than it could be, for want of bandwidth. */
  starved: boolean;
};

/** How much of the own picture is sent. */
export const pictureLevels = ['full', 'half', 'quarter', 'paused'] as const;
export type PictureLevel = (typeof pictureLevels)[number];

/** What to send on one path, and the samples in a row that speak for less or for more. */
export type Sending = {
  level: PictureLevel;
  short: number;
  fine: number;
  /** Fine samples that the next step up takes; each step that was in vain doubles it. */
  patience: number;
  /** Samples since the last step, and whether that went up. */
  since: number;
  climbed: boolean;
};

const shortBeforeLess = 3;
const fineBeforeMore = 5;
const mostPatience = 60;
/** A browser takes so many samples to find out what a path carries: at first and after a step up, else. */
const samplesToGrow = 6;
const samplesToSettle = 2;
/** A step up that held so long was right. */
const samplesToTrust = 15;

export const beginSending: Sending = {
  level: 'full',
  short: 0,
  fine: 0,
  patience: fineBeforeMore,
  since: 0,
  climbed: false,
};

/** With less than this, bit/s, a picture of that size is not worth the voice's while. */
const leastBitrate = { full: 350_000, half: 180_000, quarter: 70_000, paused: 0 };

/** The picture yields to the voice: smaller first, then paused; back step by step, and not at once. */
export function nextSending(sending: Sending, sample: PathSample): Sending {
  const isShort = lacks(sending, sample);
  // Reports get lost too where much does: that none came speaks neither for more nor for less.
  const short = sample.lossOut === null ? sending.short : 0;
  const next = {
    ...sending,
    since: sending.since + 1,
    short: isShort ? sending.short + 1 : short,
    fine: !isShort && isFine(sample) ? sending.fine + 1 : 0,
  };
  const held = next.climbed && next.since >= samplesToTrust;
  if (held) next.patience = fineBeforeMore;
  if (next.short >= shortBeforeLess && next.level !== 'paused') {
    const inVain = next.climbed && !held;
    const patience = inVain ? Math.min(mostPatience, 2 * next.patience) : next.patience;
    return { ...beginSending, level: fitting(next.level, sample), patience };
  }
  const more = pictureLevels[pictureLevels.indexOf(next.level) - 1];
  if (next.fine < next.patience || more === undefined) return next;
  return { ...beginSending, level: more, patience: next.patience, climbed: true };
}

/** The next smaller picture, or the one that the path carries. */
function fitting(level: PictureLevel, { availableBitrate }: PathSample): PictureLevel {
  const smaller = pictureLevels.slice(pictureLevels.indexOf(level) + 1);
  const carried = availableBitrate ?? Number.POSITIVE_INFINITY;
  return smaller.find((one) => leastBitrate[one] <= carried) ?? 'paused';
}

function lacks({ level, since, climbed }: Sending, sample: PathSample): boolean {
  if ((sample.lossOut ?? 0) > 0.1) return true;
  const settled = climbed || level === 'full' ? samplesToGrow : samplesToSettle;
  if (since < settled) return false;
  const { starved, availableBitrate } = sample;
  // An estimate is low too where little was sent; without a suffering picture it must be far too low.
  const least = starved ? leastBitrate[level] : leastBitrate[level] / 2;
  return availableBitrate !== null && availableBitrate < least;
}

const isFine = ({ lossOut, starved, roundTripMs }: PathSample) =>
  (lossOut ?? 0) < 0.03 && !starved && (roundTripMs ?? 0) < 800;

export type Quality = 'good' | 'weak' | 'bad';
export type Rating = { quality: Quality; other: Quality; times: number };
export const beginRating: Rating = { quality: 'good', other: 'good', times: 0 };

const timesToWorsen = 3;
const timesToImprove = 6;
const order = ['good', 'weak', 'bad'] as const;

/** How a path is called: worse after three seconds that were worse, better after six. */
export function nextRating(rating: Rating, sample: PathSample): Rating {
  const seen = qualityOf(sample);
  if (seen === rating.quality) return { quality: seen, other: seen, times: 0 };
  const worse = order.indexOf(seen) > order.indexOf(rating.quality);
  const wasWorse = order.indexOf(rating.other) > order.indexOf(rating.quality);
  const times = rating.times > 0 && worse === wasWorse ? rating.times + 1 : 1;
  if (times < (worse ? timesToWorsen : timesToImprove)) {
    return { quality: rating.quality, other: seen, times };
  }
  return { quality: seen, other: seen, times: 0 };
}

function qualityOf({ lossIn, lossOut, roundTripMs }: PathSample): Quality {
  const loss = Math.max(lossIn, lossOut ?? 0);
  const trip = roundTripMs ?? 0;
  if (loss > 0.15 || trip > 1_200) return 'bad';
  return loss > 0.05 || trip > 500 ? 'weak' : 'good';
}
