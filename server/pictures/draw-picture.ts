import { buffer } from 'node:stream/consumers';
import sharp, { type Sharp } from 'sharp';

/*
 * A program of its own (make-picture-safe.ts starts it): decoders of other people's files run where
 * they can break nothing, and what they take of memory and time ends with them. Reads one picture from
 * its input and writes it, drawn anew for the purpose that is its argument, to its output.
 */

/** A logo is shown at most this wide or high, in pixels of a fine screen. */
const side = 512;
/** A portrait is shown in a circle, at most this wide. */
const portraitSide = 256;
/** What a picture may unpack to: no camera's photo is larger. */
const mostPixels = 50_000_000;
/** Dots an inch that SVG files are read with by default. */
const svgDensity = 72;
/** Behind light logos with nothing behind them, which nobody would see on paper. */
const darkGround = '#171b22';

const limits = { limitInputPixels: mostPixels, failOn: 'error' } as const;

sharp.cache(false);
sharp.concurrency(1);

const given = await buffer(process.stdin);
process.stdout.write(await (process.argv[2] === 'portrait' ? drawPortrait : drawLogo)(given));

async function drawLogo(bytes: Buffer): Promise<Buffer> {
  // Without `animated` the first frame alone is read. No metadata is kept unless asked for.
  const { format, width, height } = await sharp(bytes, limits).metadata();
  const density =
    format === 'svg'
      ? Math.min(2400, Math.max(1, (svgDensity * side) / Math.max(width, height)))
      : 72;
  const read = format === 'svg' ? { ...limits, density } : limits;
  const { data, info } = await sharp(bytes, read)
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: 4 as const };
  const drawn = sharp(data, { raw });
  return (isLightOnNothing(data) ? onDark(drawn) : drawn).png({ compressionLevel: 9 }).toBuffer();
}

/** Its middle, as a square: faces are there. */
function drawPortrait(bytes: Buffer): Promise<Buffer> {
  return sharp(bytes, limits)
    .autoOrient()
    .resize({ width: portraitSide, height: portraitSide, fit: 'cover' })
    .toColourspace('srgb')
    .webp({ quality: 85 })
    .toBuffer();
}

/** Whether a good part is see-through, and nearly all of the rest is close to white. */
function isLightOnNothing(rgba: Buffer): boolean {
  let seen = 0;
  let light = 0;
  for (let at = 0; at + 3 < rgba.length; at += 4) {
    if ((rgba[at + 3] ?? 0) < 64) continue;
    seen += 1;
    const [red = 0, green = 0, blue = 0] = rgba.subarray(at, at + 3);
    if (0.2126 * red + 0.7152 * green + 0.0722 * blue > 190) light += 1;
  }
  return seen < 0.97 * (rgba.length / 4) && light > 0.9 * seen;
}

function onDark(drawn: Sharp): Sharp {
  const margin = Math.round(side * 0.06);
  const edges = { top: margin, bottom: margin, left: margin, right: margin };
  return drawn.flatten({ background: darkGround }).extend({ ...edges, background: darkGround });
}
