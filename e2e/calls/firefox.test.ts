import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { findFirefox, openFirefox } from '../support/firefox.ts';
import { sharedProgram } from '../support/shared-program.ts';
import { frameOf, joinFromPreview, meetingFrame } from '../support/staff.ts';

const program = sharedProgram();
let prepared: Prepared;
let host: Person;
let firefox: Browser;

describe.skipIf(!findFirefox())('in Debian’s Firefox', { tags: 'full' }, () => {
  beforeAll(async () => {
    prepared = await prepareRoom(program.url, 'Firefox');
    host = await openBrowser({ camera: 'red' });
    await prepared.user.signIn(host);
  });
  afterAll(async () => {
    await host?.close();
    await firefox?.close();
  });

  test('a guest joins by the link: each sees the other’s moving video and chat messages', async () => {
    await host.page.goto(`${program.url}/app/rooms/${prepared.roomId}/call`);
    await joinFromPreview(host);
    const opened = await openFirefox();
    firefox = opened.browser;
    const { page } = opened;
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(prepared.guestUrl);
    await page.locator('input[autocomplete="name"]').fill('Grace');
    await page.locator('button.primary').click();

    const theirs = 'li.tile:not([data-own]) video';
    /** Resolves with the tenth drawn frame; Firefox does not count frames of a call. */
    const tenFrames = (css: string) =>
      new Promise<number>((resolve) => {
        const video = document.querySelector(css);
        let drawn = 0;
        const count = () => {
          drawn += 1;
          if (drawn === 10) resolve(drawn);
          else if (video instanceof HTMLVideoElement) video.requestVideoFrameCallback(count);
        };
        if (video instanceof HTMLVideoElement) video.requestVideoFrameCallback(count);
        else resolve(0);
      });
    await page.locator(theirs).wait();
    expect(await page.evaluate(tenFrames, theirs)).toBe(10);
    const inFrame = await frameOf(host);
    await inFrame.locator(theirs).waitFor();
    expect(await inFrame.evaluate(tenFrames, theirs)).toBe(10);

    await meetingFrame(host).getByRole('button', { name: 'Chat' }).click();
    const field = meetingFrame(host).getByLabel('Message', { exact: true });
    await field.fill('Hello, Firefox');
    await field.press('Enter');
    await page.locator('button[aria-label="Chat, 1 new message"]').click();
    await page.locator('::-p-text(Hello, Firefox)').wait();
    await page.locator('button[data-control="leave"]').click();
    await page.locator('.ending[data-ending="left"]').wait();
    await meetingFrame(host).getByText('You’re the only one here').waitFor({ state: 'attached' });
    expect(complaints).toEqual([]);
  });
});
