import { qrPath } from '#web/ui/qr-path.ts';

interface QrFile {
  url: string;
  /** Below the code: the organization and the room. */
  title: string;
  subtitle: string;
}

const width = 480;
const captionHeight = 96;
const height = width + captionHeight;

const escapes: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
/** People choose these names: escaped, and without characters that XML cannot hold. */
const escaped = (text: string) =>
  text.replace(/[\p{Cc}\p{Cs}]/gu, ' ').replace(/[<>&"]/g, (sign) => escapes[sign] ?? '');

const shortened = (text: string, longest: number) =>
  [...text].length > longest ? `${[...text].slice(0, longest - 1).join('')}…` : text;

/** Returns the code with its caption as SVG, which prints well at any size. */
export function qrSvgFile({ url, title, subtitle }: QrFile): string {
  const { size, path } = qrPath(url);
  const line = (text: string, y: number, look: string) =>
    `<text x="${width / 2}" y="${y}" text-anchor="middle" font-family="system-ui, sans-serif" ${look}>${escaped(text)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<svg width="${width}" height="${width}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="${path}"/></svg>`,
    line(shortened(title, 36), width + 20, 'font-size="24" font-weight="600" fill="#111"'),
    line(shortened(subtitle, 52), width + 54, 'font-size="17" fill="#444"'),
    '</svg>',
  ].join('');
}

/** Returns the same as a PNG, three times as large. */
export async function qrPngFile(given: QrFile): Promise<Blob> {
  const scale = 3;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(qrSvgFile(given))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
  });
}

/** Formats 'Onboarding with Acme' as 'onboarding-with-acme-qr.svg'. */
export function qrFileName(topic: string, ending: 'svg' | 'png'): string {
  const plain = topic
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  return `${plain || 'room'}-qr.${ending}`;
}

export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has read the file by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
