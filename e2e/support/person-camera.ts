import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

const width = 320;
const height = 180;
const framesPerSecond = 5;
const frames = 20;
const square = 6;

/** A drawing of a head and shoulders, which the segmentation model recognizes. */
const person = `
  <path d="M70 180 C72 128 108 116 135 112 L185 112 C212 116 248 128 250 180 Z" fill="#2f4a6b"/>
  <path d="M140 96 L140 120 Q160 134 180 120 L180 96 Z" fill="#c98f6e"/>
  <ellipse cx="160" cy="70" rx="33" ry="42" fill="#dba785"/>
  <path d="M124 66 C118 22 200 18 197 66 C192 46 176 42 160 42 C146 42 130 46 124 66 Z" fill="#3b2a20"/>
  <ellipse cx="148" cy="68" rx="5" ry="3" fill="#fff"/><circle cx="148" cy="68" r="2.4" fill="#2b1d14"/>
  <ellipse cx="172" cy="68" rx="5" ry="3" fill="#fff"/><circle cx="172" cy="68" r="2.4" fill="#2b1d14"/>
  <path d="M141 60 Q148 56 154 60 M166 60 Q172 56 179 60" stroke="#3b2a20" stroke-width="2.5" fill="none"/>
  <path d="M160 70 L156 84 L163 85" stroke="#b87f5f" stroke-width="2" fill="none"/>
  <path d="M147 96 Q160 104 173 96" stroke="#a1504a" stroke-width="3.5" fill="none"/>`;

/** A checkerboard pattern, of which nothing remains where it is blurred. */
function wall(shift: number): string {
  const squares: string[] = [];
  for (let row = 0; row * square < height; row += 1)
    for (let column = -2; column * square < width; column += 1)
      if ((row + column) % 2 === 0)
        squares.push(
          `<rect x="${column * square + shift}" y="${row * square}" width="${square}" height="${square}"/>`,
        );
  return `<rect width="100%" height="100%" fill="#fff"/><g fill="#111">${squares.join('')}</g>`;
}

/**
 * Creates a camera (YUV4MPEG2) with a drawn person in front of a wall of small squares, which moves
 * so that each frame is different.
 * @returns the file, created once
 */
export async function personCamera(): Promise<string> {
  const folder = join(tmpdir(), 'rapport-cameras');
  const file = join(folder, `person-${width}x${height}-${framesPerSecond}.y4m`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const chunks = [
    Buffer.from(`YUV4MPEG2 W${width} H${height} F${framesPerSecond}:1 Ip A1:1 C420jpeg\n`),
  ];
  for (let frame = 0; frame < frames; frame += 1) {
    const shift = frame % (2 * square);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${wall(shift)}${person}</svg>`;
    const { data } = await sharp(Buffer.from(svg))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    chunks.push(Buffer.from('FRAME\n'), toYuv(data));
  }
  writeFileSync(file, Buffer.concat(chunks));
  return file;
}

function toYuv(rgb: Uint8Array): Buffer<ArrayBuffer> {
  const size = width * height;
  const yuv = Buffer.alloc(size * 1.5);
  for (let at = 0; at < size; at += 1) {
    const [r = 0, g = 0, b = 0] = rgb.subarray(at * 3, at * 3 + 3);
    yuv[at] = 0.299 * r + 0.587 * g + 0.114 * b;
    const [row, column] = [Math.floor(at / width), at % width];
    if (row % 2 === 1 || column % 2 === 1) continue;
    const half = (row / 2) * (width / 2) + column / 2;
    yuv[size + half] = 128 - 0.169 * r - 0.331 * g + 0.5 * b;
    yuv[size * 1.25 + half] = 128 + 0.5 * r - 0.419 * g - 0.081 * b;
  }
  return yuv;
}
