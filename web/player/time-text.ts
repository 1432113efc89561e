/** Formats milliseconds as '1:05', or '1:00:05' from an hour on. */
export function timeText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes, rest] = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(
    Math.floor,
  );
  const two = (value = 0) => String(value).padStart(2, '0');
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Reads the `t` of a link: seconds, '1m30s', or '1:30'. Returns 0 for anything else. */
export function timeIn(text: string | null): number {
  if (!text) return 0;
  const clock = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})$/.exec(text);
  const units = /^(?:(\d{1,3})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s?)?$/.exec(text);
  const [, hours = '0', minutes = '0', seconds = '0'] = clock ?? units ?? [];
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
}
