import { flushCompileCache } from 'node:module';
import { buffer } from 'node:stream/consumers';
import sharp, { type Sharp } from 'sharp';

/*
 * Runs as a separate program (started by make-picture-safe.ts), so that decoders of untrusted files cannot
 * harm the server, and their memory and time end with the process. Reads one image from stdin and writes it
 * to stdout, redrawn for the purpose given as argument.
 */

/** The largest width or height at which a logo is shown, in pixels of a high-resolution screen. */
const side = 512;
/** A portrait is shown in a circle of at most this width. */
const portraitSide = 256;
/** The largest decoded size. No camera's photo has more pixels. */
const mostPixels = 50_000_000;
/**
 * The most bytes of a picture that is decoded as a whole: an interlaced PNG, a progressive JPEG, and a WebP. Others are
 * read row by row.
 */
const mostWholeBytes = 48_000_000;
/** The default resolution for SVG files, in dots per inch. */
const svgDensity = 72;
/** The background for light logos that are transparent, which would be invisible on white. */
const darkGround = '#171b22';

const limits = { limitInputPixels: mostPixels, failOn: 'error' } as const;

// The program is killed if an image takes too long, which would save nothing.
flushCompileCache();
sharp.cache(false);
sharp.concurrency(1);

const given = await buffer(process.stdin);
const drawing = { logo: drawLogo, portrait: drawPortrait, poster: drawPoster };
const draw = Object.entries(drawing).find(([purpose]) => purpose === process.argv[2])?.[1];
if (draw) {
  await refuseHuge(given);
  process.stdout.write(await draw(given));
}

/** @throws Error if drawing would take too much memory */
async function refuseHuge(bytes: Buffer): Promise<void> {
  const picture = await sharp(bytes, limits).metadata();
  const { format, width, height, channels, depth, isProgressive, chromaSubsampling } = picture;
  if (!isProgressive && format !== 'webp') return;
  const samples = chromaSubsampling === '4:2:0' ? 1.5 : channels;
  // Of a progressive JPEG, two bytes are kept for each sample.
  const bytesOfSample = depth === 'ushort' || format === 'jpeg' ? 2 : 1;
  const wholeBytes = width * height * samples * bytesOfSample;
  if (wholeBytes > mostWholeBytes) throw new Error(`it takes ${wholeBytes} bytes`);
}

async function drawLogo(bytes: Buffer): Promise<Buffer> {
  // Without `animated`, only the first frame is read. Metadata is dropped by default.
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

/** Crops to the central square, where faces usually are. */
function drawPortrait(bytes: Buffer): Promise<Buffer> {
  return sharp(bytes, limits)
    .autoOrient()
    .resize({ width: portraitSide, height: portraitSide, fit: 'cover' })
    .toColourspace('srgb')
    .webp({ quality: 85 })
    .toBuffer();
}

/** A recording's first picture, as a player shows it before it plays. */
function drawPoster(bytes: Buffer): Promise<Buffer> {
  return sharp(bytes, limits)
    .autoOrient()
    .resize({ width: 640, height: 640, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .jpeg({ quality: 75 })
    .toBuffer();
}

/** Returns whether a good part is transparent, and nearly all of the rest is close to white. */
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
