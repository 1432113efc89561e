import type { Frame, Page } from 'playwright-core';
import type { Color } from './fake-camera.ts';

const patienceMs = 60_000;

interface Picture {
  /** Mean color. */
  red: number;
  green: number;
  blue: number;
  /** Brightness of 16 columns, which shows where the bar is. */
  columns: number[];
}

/** Returns what a video element shows now, from its pixels; null while it shows nothing. */
function look(where: Page | Frame, selector: string): Promise<Picture | null> {
  return where.evaluate((css) => {
    const video = document.querySelector(css);
    if (!(video instanceof HTMLVideoElement) || video.videoWidth === 0) return null;
    const canvas = document.createElement('canvas');
    canvas.width = 64;
    canvas.height = 36;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) return null;
    context.drawImage(video, 0, 0, 64, 36);
    const { data } = context.getImageData(0, 0, 64, 36);
    const sums = { red: 0, green: 0, blue: 0, columns: new Array<number>(16).fill(0) };
    for (let index = 0; index < data.length; index += 4) {
      const [red = 0, green = 0, blue = 0] = [data[index], data[index + 1], data[index + 2]];
      sums.red += red;
      sums.green += green;
      sums.blue += blue;
      const column = Math.floor(((index / 4) % 64) / 4);
      sums.columns[column] = (sums.columns[column] ?? 0) + red + green + blue;
    }
    const pixels = data.length / 4;
    return {
      red: sums.red / pixels,
      green: sums.green / pixels,
      blue: sums.blue / pixels,
      columns: sums.columns,
    };
  }, selector);
}

const is = {
  red: (p: Picture) => p.red > p.green + 40 && p.red > p.blue + 40,
  green: (p: Picture) => p.green > p.red + 40 && p.green > p.blue + 40,
  blue: (p: Picture) => p.blue > p.red + 40 && p.blue > p.green + 40,
  grey: (p: Picture) => Math.abs(p.red - p.blue) < 25 && Math.abs(p.red - p.green) < 25,
} satisfies Record<Color, (picture: Picture) => boolean>;

const brightest = (columns: number[]) => columns.indexOf(Math.max(...columns));

/**
 * Waits until the video shows that color and the bar has been in three places.
 * @throws an error with the last result, if it does not within a minute
 */
export async function seesMoving(
  where: Page | Frame,
  selector: string,
  color: Color,
): Promise<void> {
  const places = new Set<number>();
  let last: Picture | null = null;
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    last = await look(where, selector);
    if (last && is[color](last)) places.add(brightest(last.columns));
    if (places.size >= 3) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(
    `${selector} does not show a moving ${color}: ${JSON.stringify(last)}, bar seen in ${[...places]}`,
  );
}
