import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type Color, fakeCamera } from './fake-camera.ts';

/** One participant with a browser context of their own, as in a browser of their own. */
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
  /** What this participant says, again and again, instead of a beep: a WAV file (spoken-words.ts). */
  microphoneFile?: string;
  /** Device pixels for each CSS pixel, for screenshots. */
  pixelRatio?: number;
  /** A phone: touch instead of a mouse, and no scroll bar. */
  phone?: boolean;
  /** `deny` refuses the camera and microphone, `none` has no devices. */
  devices?: 'allow' | 'deny' | 'none';
  /** The complete Chromium, with the windows and prompts that its headless shell lacks. */
  windows?: boolean;
  /** Blocks cookies of other sites, as all other browsers do. */
  noThirdPartyCookies?: boolean;
  /** A network namespace (namespaces.ts), and an origin there that counts as secure without HTTPS. */
  place?: { browser: string; origin: string };
}

/** As long as polls wait (vitest.config.ts). Playwright's own 30 seconds are too few on a slow, busy machine. */
const patienceMs = 60_000;

const executables = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const shell = '/usr/bin/chromium-headless-shell';

export function findBrowser(): string | undefined {
  const named = process.env.CHROMIUM;
  return [...(named ? [named] : []), ...executables].find((path) => existsSync(path));
}

/**
 * Returns Chromium's headless shell, the same engine without windows. A complete Chromium where it is
 * missing, or where CHROMIUM names one.
 */
export function findShell(): string | undefined {
  return !process.env.CHROMIUM && existsSync(shell) ? shell : findBrowser();
}

/** Opens a browser window of a new person, with a fake camera and microphone. */
export async function openBrowser(look: Look = {}): Promise<Person> {
  const devices = look.devices ?? 'allow';
  // In the shell, a refused prompt is another error than a person's refusal.
  const mayBeShell = process.env.PREFER_HEADLESS_SHELL && !look.windows && devices !== 'deny';
  const executablePath = look.place?.browser ?? (mayBeShell ? findShell() : findBrowser());
  if (!executablePath) throw new Error('There is no Chromium: apt-get install chromium');
  const flags = flagsOf(look);
  const browser = await (shared
    ? sharedBrowser(shared, executablePath, flags)
    : launch(executablePath, flags));
  const context = await browser.newContext({
    viewport: { width: look.width ?? 1280, height: look.height ?? 800 },
    deviceScaleFactor: look.pixelRatio ?? 1,
    colorScheme: look.dark ? 'dark' : 'light',
    ...(look.phone ? { hasTouch: true, isMobile: true } : {}),
    ...(look.locale ? { locale: look.locale } : {}),
    permissions: [
      ...(devices === 'allow' ? ['clipboard-read', 'clipboard-write'] : []),
      // As if granted by a person, which the fake devices are not: only then local addresses are
      // candidates.
      ...(look.place ? ['camera', 'microphone'] : []),
    ],
  });
  context.setDefaultTimeout(patienceMs);
  const complaints: string[] = [];
  context.on('page', (opened) => {
    opened.on('console', (message) => {
      if (message.type() === 'error')
        complaints.push(`${message.text()} (${message.location().url})`);
    });
    opened.on('pageerror', (error) => complaints.push(String(error)));
  });
  const page = await context.newPage();
  const close = () => (shared ? context.close() : browser.close());
  return { page, context, complaints, close };
}

function flagsOf(look: Look): string[] {
  const { devices = 'allow', camera, cameraFile, microphoneFile, place } = look;
  const framesPerSecond = shared ? 5 : 20;
  const file = cameraFile ?? (camera && fakeCamera(camera, framesPerSecond));
  return [
    ...(devices === 'none' ? [] : [`--use-fake-device-for-media-stream=fps=${framesPerSecond}`]),
    ...(devices === 'allow' ? ['--use-fake-ui-for-media-stream'] : []),
    ...(file ? [`--use-file-for-fake-video-capture=${file}`] : []),
    ...(microphoneFile ? [`--use-file-for-fake-audio-capture=${microphoneFile}`] : []),
    ...(look.noThirdPartyCookies ? ['--test-third-party-cookie-phaseout'] : []),
    ...(place ? [`--unsafely-treat-insecure-origin-as-secure=${place.origin}`] : []),
  ];
}

/**
 * The browsers that participants share, by their flags; null where each has their own. They end with
 * the process of the tests.
 */
let shared: Map<string, Promise<Browser>> | null = null;
/** The flags of the browsers that this file uses. */
const used = new Set<string>();

/**
 * From now on, participants with the same flags share one browser, whose fake camera has few frames:
 * starting browsers and encoding video without a graphics card cost tests more than all else.
 * @returns ends a file: closes what participants have left open, and the browsers that it did not use
 */
export function shareBrowsers(): () => Promise<void> {
  shared ??= new Map();
  const browsers = shared;
  used.clear();
  return async () => {
    for (const [key, launched] of browsers) {
      const browser = await launched;
      if (used.has(key)) await Promise.all(browser.contexts().map((context) => context.close()));
      else {
        browsers.delete(key);
        await browser.close();
      }
    }
  };
}

function sharedBrowser(
  browsers: Map<string, Promise<Browser>>,
  executablePath: string,
  flags: string[],
): Promise<Browser> {
  const key = [executablePath, ...flags].join(' ');
  const browser = browsers.get(key) ?? launch(executablePath, flags);
  browsers.set(key, browser);
  used.add(key);
  return browser;
}

function launch(executablePath: string, flags: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath,
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
      ...flags,
    ],
    ignoreDefaultArgs: ['--hide-scrollbars'],
  });
}
