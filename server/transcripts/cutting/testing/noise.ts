const samplesOf = (seconds: number) => Math.round(seconds * 16_000);

export const silence = (seconds: number) => new Float32Array(samplesOf(seconds));

/** Pink noise (Voss-McCartney), the same each time. */
export function pinkNoise(seconds: number, amplitude: number): Float32Array {
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (seed / 2_147_483_648) * 2 - 1;
  };
  const rows = Array.from({ length: 12 }, random);
  return Float32Array.from({ length: samplesOf(seconds) }, (_, at) => {
    const row = at === 0 ? 0 : Math.log2(at & -at);
    if (row < rows.length) rows[row] = random();
    const sum = rows.reduce((total, value) => total + value, random());
    return (sum / 6) * amplitude;
  });
}

export function joined(...parts: Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
