const padded = (value: number) => String(value).padStart(2, '0');

/** Returns a time of a call's clock: `4:05`, and `1:04:05` after the first hour. */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = padded(seconds % 60);
  return hours > 0 ? `${hours}:${padded(minutes)}:${rest}` : `${minutes}:${rest}`;
}
