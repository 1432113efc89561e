/** Returns the index of the last line that began by then, -1 before the first. `lines` are in order. */
export function lineAt(lines: readonly { startMs: number }[], positionMs: number): number {
  let from = 0;
  let to = lines.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((lines[middle]?.startMs ?? 0) <= positionMs) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
