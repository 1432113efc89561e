import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { type Color, fakeCamera } from './fake-camera.ts';

/** One participant with their own browser, since a background tab delays its frames. */
export interface Person {
  page: Page;
  context: BrowserContext;
  /** Errors in the console, and uncaught errors. */
  complaints: string[];
  close(): Promise<void>;
}

export interface Look {
  width?: number;
  height?: number;
  dark?: boolean;
  /** The browser's language, 'de-DE'; English without it. */
  locale?: string;
  /** The color of this participant's fake camera, by which the other side recognizes it. */
  camera?: Color;
  /** A custom camera video instead: a YUV4MPEG2 file. */
  cameraFile?: string;
  /** Device pixels for each CSS pixel, for screenshots. */
  pixelRatio?: number;
  /** A phone: touch instead of a mouse, and no scroll bar. */
  phone?: boolean;
  /** `deny` refuses the camera and microphone, `none` has no devices. */
  devices?: 'allow' | 'deny' | 'none';
  /** A network namespace (namespaces.ts), and an origin there that counts as secure without HTTPS. */
  place?: { browser: string; origin: string };
}

const executables = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function findBrowser(): string | undefined {
  const named = process.env.CHROMIUM;
  return [...(named ? [named] : []), ...executables].find((path) => existsSync(path));
}

/** Opens a browser with a fake camera and microphone. */
export async function openBrowser(look: Look = {}): Promise<Person> {
  const executablePath = look.place?.browser ?? findBrowser();
  if (!executablePath) throw new Error('There is no Chromium: apt-get install chromium');
  const profile = mkdtempSync(join(tmpdir(), 'rapport-browser-'));
  const devices = look.devices ?? 'allow';
  const camera = look.cameraFile ?? (look.camera && fakeCamera(look.camera));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    viewport: { width: look.width ?? 1280, height: look.height ?? 800 },
    deviceScaleFactor: look.pixelRatio ?? 1,
    colorScheme: look.dark ? 'dark' : 'light',
    ...(look.phone ? { hasTouch: true, isMobile: true } : {}),
    ...(look.locale ? { locale: look.locale } : {}),
    permissions: [
      ...(devices === 'allow' ? ['clipboard-read', 'clipboard-write'] : []),
      // As if granted by a person, which the flag below is not: only then local addresses are
      // candidates.
      ...(look.place ? ['camera', 'microphone'] : []),
    ],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--allow-loopback-in-peer-connection',
      '--autoplay-policy=no-user-gesture-required',
      ...(devices === 'none' ? [] : ['--use-fake-device-for-media-stream']),
      ...(devices === 'allow' ? ['--use-fake-ui-for-media-stream'] : []),
      ...(camera ? [`--use-file-for-fake-video-capture=${camera}`] : []),
      ...(look.place ? [`--unsafely-treat-insecure-origin-as-secure=${look.place.origin}`] : []),
    ],
    ignoreDefaultArgs: ['--hide-scrollbars'],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const complaints: string[] = [];
  const watch = (opened: Page) => {
    opened.on('console', (message) => {
      if (message.type() === 'error')
        complaints.push(`${message.text()} (${message.location().url})`);
    });
    opened.on('pageerror', (error) => complaints.push(String(error)));
  };
  watch(page);
  context.on('page', watch);
  return {
    page,
    context,
    complaints,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
