/**
 * Bytes of an answer to a range without an end, with which players ask for as much as they can get. One that pauses
 * would leave a longer answer unread, and it would be cut off (platform/bounded-answers.ts).
 */
const mostOfOpenRange = 4 * 1024 * 1024;

/**
 * Reads a Range header (RFC 9110, 14.2) for a file of this size.
 * @returns both ends inclusive; null where the whole file is to be sent: without a header, and for several ranges
 */
export function rangeOf(
  header: string | undefined,
  sizeBytes: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match) return null;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= sizeBytes) return 'unsatisfiable';
  const end = last === '' ? start + mostOfOpenRange - 1 : Number(last);
  return { start, end: Math.min(end, sizeBytes - 1) };
}
