import { join } from 'node:path';
import sharp from 'sharp';
import { openBrowser } from '../../e2e/support/browser.ts';

/** Draws the preview image for links to the public pages: 1200 × 630 (Open Graph). */
export async function drawShared(call: Buffer): Promise<void> {
  const { page, close } = await openBrowser({ width: 1200, height: 630, devices: 'none' });
  await page.setContent(`<style>
    body { margin: 0; width: 1200px; height: 630px; overflow: hidden; color: #fff;
      font-family: Inter, "Segoe UI", system-ui, sans-serif;
      background: radial-gradient(60% 80% at 90% 0%, rgb(37 99 235 / .65), transparent 70%),
        radial-gradient(40% 60% at 0% 100%, rgb(37 99 235 / .35), transparent 70%), #0b0d12; }
    p { position: absolute; top: 56px; left: 64px; margin: 0; display: flex; gap: 18px;
      align-items: center; font-size: 34px; font-weight: 600; }
    h1 { position: absolute; top: 140px; left: 64px; width: 470px; margin: 0; font-size: 62px;
      line-height: 1.05; letter-spacing: -.03em; font-weight: 650; }
    img { position: absolute; left: 560px; top: 150px; width: 880px; border-radius: 18px;
      box-shadow: 0 30px 80px rgb(0 0 0 / .6); }
  </style>
  <p><svg width="48" height="48" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2563eb"/><path d="M9 23V9h8.2a4.8 4.8 0 0 1 1.6 9.3L22.6 23h-3.9l-3.3-4.3h-3.2V23zm3.2-7h4.6a2 2 0 0 0 0-4.1h-4.6z" fill="#fff"/></svg>Rapport</p>
  <h1>Every customer conversation, on track.</h1>
  <img src="data:image/png;base64,${call.toString('base64')}">`);
  await page.locator('img').evaluate((image: HTMLImageElement) => image.decode());
  const picture = await page.screenshot();
  const file = join(import.meta.dirname, '../../web/static/og.png');
  await sharp(picture).png({ palette: true, quality: 90, effort: 10 }).toFile(file);
  await close();
}
