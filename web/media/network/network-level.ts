/** Measurements of a connection in the last second. */
export type ConnectionSample = {
  /** Packet loss, 0 to 1: of sent packets (null: no report arrived), and of expected packets. */
  lossOut: number | null;
  lossIn: number;
  roundTripMs: number | null;
  /** The browser's estimate of what it may send, bit/s; null without one. */
  availableBitrate: number | null;
  /** The video is worse than it could be, for lack of bandwidth. */
  starved: boolean;
};

/** How much of this page's camera video is sent. */
export const videoLevels = ['full', 'half', 'quarter', 'paused'] as const;
export type VideoLevel = (typeof videoLevels)[number];

/** The level to send on a connection, and the numbers of consecutive samples that suggest less or more. */
export type Sending = {
  level: VideoLevel;
  short: number;
  fine: number;
  /** Fine samples that the next step up needs; each step that failed doubles it. */
  patience: number;
  /** Samples since the last step, and whether it went up. */
  since: number;
  climbed: boolean;
};

const shortBeforeLess = 3;
const fineBeforeMore = 5;
const mostPatience = 60;
/** How many samples a browser needs to measure a connection: at first and after a step up, and otherwise. */
const samplesToGrow = 6;
const samplesToSettle = 2;
/** A step up that lasts this many samples was justified. */
const samplesToTrust = 15;

export const beginSending: Sending = {
  level: 'full',
  short: 0,
  fine: 0,
  patience: fineBeforeMore,
  since: 0,
  climbed: false,
};

/** Below this bitrate, bit/s, a video of that size takes too much from the audio. */
const leastBitrate = { full: 350_000, half: 180_000, quarter: 70_000, paused: 0 };

/** Reduces the video in favor of audio: smaller first, then paused. It grows back step by step. */
export function nextSending(sending: Sending, sample: ConnectionSample): Sending {
  const isShort = lacks(sending, sample);
  // A lossy network loses reports, too: a missing one suggests neither more nor less.
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
    const failed = next.climbed && !held;
    const patience = failed ? Math.min(mostPatience, 2 * next.patience) : next.patience;
    return { ...beginSending, level: fitting(next.level, sample), patience };
  }
  const more = videoLevels[videoLevels.indexOf(next.level) - 1];
  if (next.fine < next.patience || more === undefined) return next;
  return { ...beginSending, level: more, patience: next.patience, climbed: true };
}

/** The next smaller level that the connection carries. */
function fitting(level: VideoLevel, { availableBitrate }: ConnectionSample): VideoLevel {
  const smaller = videoLevels.slice(videoLevels.indexOf(level) + 1);
  const carried = availableBitrate ?? Number.POSITIVE_INFINITY;
  return smaller.find((one) => leastBitrate[one] <= carried) ?? 'paused';
}

function lacks({ level, since, climbed }: Sending, sample: ConnectionSample): boolean {
  if ((sample.lossOut ?? 0) > 0.1) return true;
  const settled = climbed || level === 'full' ? samplesToGrow : samplesToSettle;
  if (since < settled) return false;
  const { starved, availableBitrate } = sample;
  // An estimate is also low if little was sent: unless the video suffers, only a far too low
  // estimate counts.
  const least = starved ? leastBitrate[level] : leastBitrate[level] / 2;
  return availableBitrate !== null && availableBitrate < least;
}

const isFine = ({ lossOut, starved, roundTripMs }: ConnectionSample) =>
  (lossOut ?? 0) < 0.03 && !starved && (roundTripMs ?? 0) < 800;

export type Quality = 'good' | 'weak' | 'bad';
export type Rating = { quality: Quality; other: Quality; times: number };
export const beginRating: Rating = { quality: 'good', other: 'good', times: 0 };

const timesToWorsen = 3;
const timesToImprove = 6;
const order = ['good', 'weak', 'bad'] as const;

/** The quality of a connection: worse after three seconds that were worse, better after six. */
export function nextRating(rating: Rating, sample: ConnectionSample): Rating {
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

function qualityOf({ lossIn, lossOut, roundTripMs }: ConnectionSample): Quality {
  const loss = Math.max(lossIn, lossOut ?? 0);
  const trip = roundTripMs ?? 0;
  if (loss > 0.15 || trip > 1_200) return 'bad';
  return loss > 0.05 || trip > 500 ? 'weak' : 'good';
}
