import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const width = 320;
const height = 180;
/** The bar crosses the picture in this time. */
const seconds = 2;

/** Chroma (Cb, Cr) of the videos, different enough to be recognized after a video codec. */
export const chroma = {
  red: { u: 90, v: 220 },
  blue: { u: 220, v: 110 },
  green: { u: 60, v: 50 },
  grey: { u: 128, v: 128 },
} as const;
export type Color = keyof typeof chroma;

/**
 * Creates a camera for Chromium (YUV4MPEG2): a plain color with a moving bright bar. The color
 * identifies the participant; the moving bar shows that the video is live.
 * @returns the file, created once for each color and rate
 */
export function fakeCamera(color: Color, framesPerSecond: number): string {
  const frames = seconds * framesPerSecond;
  const folder = join(tmpdir(), 'rapport-cameras');
  const file = join(folder, `${color}-${width}x${height}-${framesPerSecond}.y4m`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const chunks = [
    Buffer.from(`YUV4MPEG2 W${width} H${height} F${framesPerSecond}:1 Ip A1:1 C420jpeg\n`),
  ];
  for (let frame = 0; frame < frames; frame += 1) {
    const luma = Buffer.alloc(width * height, 110);
    const left = Math.floor((frame / frames) * (width - 40));
    for (let row = 0; row < height; row += 1)
      luma.fill(235, row * width + left, row * width + left + 40);
    const size = (width / 2) * (height / 2);
    const { u, v } = chroma[color];
    chunks.push(Buffer.from('FRAME\n'), luma, Buffer.alloc(size, u), Buffer.alloc(size, v));
  }
  writeFileSync(file, Buffer.concat(chunks));
  return file;
}
