const hues = [15, 50, 95, 145, 190, 235, 280, 325] as const;

/** Returns a hue in degrees that is always the same for a name, so that people are recognized by it. */
export function hueOf(name: string): number {
  let sum = 0;
  for (const character of name.trim().toLowerCase())
    sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 100_003;
  return hues[sum % hues.length] ?? hues[0];
}

/** Returns the hues of people who are shown together: those of their names, but each once while there are enough. */
export function differentHues(names: readonly string[]): number[] {
  const taken = new Set<number>();
  return names.map((name) => {
    const own = hueOf(name);
    if (taken.size >= hues.length) taken.clear();
    const hue = taken.has(own) ? (hues.find((one) => !taken.has(one)) ?? own) : own;
    taken.add(hue);
    return hue;
  });
}
