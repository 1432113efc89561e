const padded = (value: number, length = 2) => String(value).padStart(length, '0');

/** Returns a time as `01:02:03`, with milliseconds after `mark` if it is given. */
export function clockTime(ms: number, mark?: ',' | '.'): string {
  const seconds = Math.floor(ms / 1000);
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const whole = time.map((value) => padded(value)).join(':');
  return mark ? `${whole}${mark}${padded(ms % 1000, 3)}` : whole;
}
