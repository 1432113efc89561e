import type { PictureLevel } from '../network/network-level.ts';
import { type Link, personWays } from './link.ts';
import type { Sender } from './webrtc.ts';

/** How much smaller the picture is sent at first, and for how long. */
const smaller = 2;
const smallForMs = 2_500;

/**
 * What is sent at first, for the side that offers.
 */
export const smallFirst: RTCRtpEncodingParameters[] = [{ scaleResolutionDownBy: smaller }];

/**
 * Sends a smaller picture first. Browsers take a new path for a slow one (300 kbit/s) and throw away
 * pictures that are too large for that until they have measured it: at 720 lines that cost the other
 * side's first picture 0.1 s and more, at 360 lines nothing is thrown away.
 */
export function beginSmall(link: Link): void {
  for (const sender of pictureSenders(link))
    void change(sender, { scaleResolutionDownBy: smaller });
}

/**
 * The path is there: the picture gets its whole size once the browser knows what it carries. The
 * voice goes first from now on.
 */
export function growSoon(link: Link): void {
  setTimeout(() => {
    sendPicture(link, link.picture);
    const { audio } = personWays(link);
    if (audio) void change(audio.sender, { priority: 'high', networkPriority: 'high' });
  }, smallForMs);
}

/** Bit/s of the voice: what browsers send unasked, and what is still clear where a picture is too much. */
const usualVoice = 32_000;
const frugalVoice = 20_000;

const sizes = { full: 1, half: 2, quarter: 4, paused: 4 } satisfies Record<PictureLevel, number>;

/** Sends that much of the own picture. This needs no negotiation. */
export function sendPicture(link: Link, level: PictureLevel): void {
  link.picture = level;
  const active = level !== 'paused' && link.watched.camera;
  for (const sender of pictureSenders(link)) {
    void change(sender, { scaleResolutionDownBy: sizes[level], active });
  }
  const { audio } = personWays(link);
  if (audio)
    void change(audio.sender, { maxBitrate: level === 'paused' ? frugalVoice : usualVoice });
}

/** Sends only what the other page shows. The first picture after that is a whole one. */
export function sendWatched(link: Link, watched: Link['watched']): void {
  link.watched = watched;
  sendPicture(link, link.picture);
  const { video: screen } = link.screen;
  if (screen) void change(screen.sender, { active: watched.screen });
}

function pictureSenders(link: Link): Sender[] {
  const { video } = personWays(link);
  return video ? [video.sender] : [];
}

async function change(sender: Sender, changed: Partial<RTCRtpEncodingParameters>): Promise<void> {
  try {
    const parameters = sender.getParameters();
    for (const encoding of parameters.encodings) Object.assign(encoding, changed);
    await sender.setParameters(parameters);
  } catch {
    // A connection that was closed meanwhile, or a browser that cannot: it goes on as it was.
  }
}
