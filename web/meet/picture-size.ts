import type { Sender } from './connection.ts';
import { type Link, personWays } from './link.ts';

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
  for (const sender of pictureSenders(link)) void scaleDown(sender, smaller);
}

/** The path is there: the picture gets its whole size once the browser knows what it carries. */
export function growSoon(link: Link): void {
  setTimeout(() => {
    for (const sender of pictureSenders(link)) void scaleDown(sender, 1);
  }, smallForMs);
}

function pictureSenders(link: Link): Sender[] {
  const { video } = personWays(link);
  return video ? [video.sender] : [];
}

async function scaleDown(sender: Sender, scaleResolutionDownBy: number): Promise<void> {
  try {
    const parameters = sender.getParameters();
    for (const encoding of parameters.encodings) {
      encoding.scaleResolutionDownBy = scaleResolutionDownBy;
    }
    await sender.setParameters(parameters);
  } catch {
    // A connection that was closed meanwhile, or a browser that cannot: the size stays as it is.
  }
}
