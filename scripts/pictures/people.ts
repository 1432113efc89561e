import { writeFileSync } from 'node:fs';
import sharp from 'sharp';

const width = 1280;
const height = 720;

interface Drawn {
  wall: [string, string];
  skin: string;
  shade: string;
  hair: string;
  shirt: string;
  /** The background and the hair, as SVG. */
  room: string;
  hairBehind: string;
  hairInFront: string;
}

const window = `<rect x="120" y="70" width="250" height="330" rx="10" fill="#f6efe2"/><rect x="120" y="70" width="250" height="330" rx="10" fill="none" stroke="#b99f7c" stroke-width="14"/><path d="M245 70v330M120 235h250" stroke="#b99f7c" stroke-width="10"/>`;
const plant = `<path d="M1090 720v-170" stroke="#4d6b4b" stroke-width="10"/><g fill="#5f8a5b"><ellipse cx="1040" cy="520" rx="30" ry="88" transform="rotate(-38 1040 520)"/><ellipse cx="1145" cy="505" rx="30" ry="92" transform="rotate(34 1145 505)"/><ellipse cx="1092" cy="450" rx="30" ry="100"/></g>`;
const shelf = `<path d="M90 210h330M90 400h330" stroke="#6f8196" stroke-width="12"/><g><rect x="110" y="112" width="34" height="92" fill="#e3b15c"/><rect x="150" y="96" width="30" height="108" fill="#f3f5f8"/><rect x="186" y="120" width="40" height="84" fill="#c9675a"/><rect x="300" y="300" width="36" height="94" fill="#f3f5f8"/><rect x="342" y="314" width="30" height="80" fill="#4f7fb8"/><circle cx="170" cy="362" r="32" fill="#5f8a5b"/></g>`;
const lamp = `<path d="M1060 0v120" stroke="#46566b" stroke-width="8"/><path d="M980 200a80 80 0 0 1 160 0z" fill="#f4d58d"/>`;

export const helen: Drawn = {
  wall: ['#ead9c1', '#cfae86'],
  skin: '#a96f4a',
  shade: '#8f5b3b',
  hair: '#241a17',
  shirt: '#2f6f58',
  room: window + plant,
  hairBehind:
    '<circle cx="640" cy="265" r="205"/><circle cx="480" cy="330" r="98"/><circle cx="800" cy="330" r="98"/>',
  hairInFront:
    '<path d="M492 330c-14-140 58-222 148-222s162 82 148 222c-22-92-78-128-148-128s-126 36-148 128z"/>',
};

export const jonas: Drawn = {
  wall: ['#c7d4e4', '#8fa6c2'],
  skin: '#e0ad86',
  shade: '#c48f68',
  hair: '#5a3a22',
  shirt: '#22304a',
  room: shelf + lamp,
  hairBehind: '<path d="M492 330c-30-200 70-250 150-250s180 60 148 250z"/>',
  hairInFront:
    '<path d="M500 285c-10-150 110-190 190-165 80 20 100 90 92 165-30-70-90-95-140-95-60 0-110 30-142 95z"/>',
};

function portrait({
  wall,
  skin,
  shade,
  hair,
  shirt,
  room,
  hairBehind,
  hairInFront,
}: Drawn): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">
<defs><linearGradient id="w" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${wall[0]}"/><stop offset="1" stop-color="${wall[1]}"/></linearGradient></defs>
<rect width="${width}" height="${height}" fill="url(#w)"/><g opacity="0.75">${room}</g>
<g transform="translate(640 720) scale(0.88) translate(-640 -720)"><g fill="${hair}">${hairBehind}</g>
<path d="M290 720c0-150 150-205 350-205s350 55 350 205z" fill="${shirt}"/>
<path d="M575 430h130v95c0 45-130 45-130 0z" fill="${shade}"/>
<path d="M500 300c0-130 60-180 140-180s140 50 140 180-60 200-140 200-140-70-140-200z" fill="${skin}"/>
<g fill="${skin}"><ellipse cx="500" cy="325" rx="22" ry="36"/><ellipse cx="780" cy="325" rx="22" ry="36"/></g>
<g fill="${hair}">${hairInFront}</g>
<g fill="none" stroke="${hair}" stroke-width="9" stroke-linecap="round"><path d="M548 272q32-20 62-3M670 269q30-17 62 3"/></g>
<g fill="#fff"><ellipse cx="580" cy="308" rx="23" ry="15"/><ellipse cx="700" cy="308" rx="23" ry="15"/></g>
<g fill="#2b2018"><circle cx="581" cy="309" r="12"/><circle cx="699" cy="309" r="12"/></g>
<path d="M640 312q-14 50-4 62 8 8 20 2" fill="none" stroke="${shade}" stroke-width="8" stroke-linecap="round"/>
<path d="M585 412q55 52 110 0-55 14-110 0z" fill="#fff" stroke="#8c3f38" stroke-width="8" stroke-linejoin="round"/></g>
</svg>`;
}

/** Creates a camera for Chromium that shows this person (YUV4MPEG2, a still). */
export async function portraitCamera(person: Drawn, file: string): Promise<string> {
  const { data } = await sharp(Buffer.from(portrait(person)))
    .resize(width, height)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const luma = Buffer.alloc(width * height);
  const cb = Buffer.alloc((width * height) / 4);
  const cr = Buffer.alloc((width * height) / 4);
  for (let at = 0; at < width * height; at += 1) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at * 3, at * 3 + 3);
    luma[at] = 0.299 * red + 0.587 * green + 0.114 * blue;
    const [x, y] = [at % width, Math.floor(at / width)];
    if (x % 2 || y % 2) continue;
    const small = (y / 2) * (width / 2) + x / 2;
    cb[small] = 128 - 0.168736 * red - 0.331264 * green + 0.5 * blue;
    cr[small] = 128 + 0.5 * red - 0.418688 * green - 0.081312 * blue;
  }
  const frame = [Buffer.from('FRAME\n'), luma, cb, cr];
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F20:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(file, Buffer.concat([head, ...frame, ...frame]));
  return file;
}
