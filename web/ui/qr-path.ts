import { encode } from 'uqr';

/** The quiet zone around the code in modules, which scanners need (ISO/IEC 18004). */
const quiet = 4;

/** Returns a QR code as one SVG path of black modules, on a square of `size` modules. */
export function qrPath(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: quiet });
  let path = '';
  data.forEach((row, y) => {
    row.forEach((isBlack, x) => {
      if (isBlack) path += `M${x} ${y}h1v1h-1z`;
    });
  });
  return { size, path };
}
