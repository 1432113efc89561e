import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostUrl, type Prepared, prepareRoom } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { answerDevices, type DeviceState, openWith } from '../support/device-states.ts';
import { sharedProgram } from '../support/shared-program.ts';

const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
const program = sharedProgram();
let prepared: Prepared;
beforeAll(async () => {
  prepared = await prepareRoom(program.url, 'Devices');
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Returns axe's violations of the page, at both sizes; in the other theme, those of its colors. */
async function complaintsAbout(name: string, page: Page): Promise<string[]> {
  const found: string[] = [];
  const all = name.startsWith('dialog') ? 'part' : 'whole page';
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const violations = await axeViolations(page, colorScheme === 'light' ? all : 'colors');
      found.push(...violations.map((one) => `${name}, ${size.width}, ${colorScheme}: ${one}`));
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (sideways > 0) found.push(`${name}, ${size.width}: ${sideways} wider than the window`);
    }
  }
  return found;
}

describe('the device check says what the problem is, and what to do about it', () => {
  let person: Person;
  beforeAll(async () => {
    person = await openBrowser({ camera: 'red' });
    await answerDevices(person.page);
    await person.page.goto(prepared.guestUrl);
  });
  afterAll(() => person?.close());

  const states: { state: DeviceState; on?: boolean; says: RegExp }[] = [
    {
      state: 'asking',
      says: /^Your browser is asking for your camera and microphone. Choose Allow/,
    },
    { state: 'given', on: false, says: /^Use the button below to turn it on/ },
    { state: 'missing', says: /^No camera or microphone found. Plug them in/ },
    {
      state: 'blocked',
      says: /^This site isn’t allowed to use .* Click the icon to the left of the address/,
    },
    { state: 'blockedBySystem', says: /^Your system is blocking .* Allow them in your privacy/ },
    { state: 'dismissed', says: /^You haven’t allowed camera and microphone yet. Let the browser/ },
    { state: 'busy', says: /^Your camera and microphone are in use by another app/ },
    { state: 'unsuitable', says: /^We can’t use the selected camera and microphone right now/ },
    { state: 'cameraBusy', says: /^Your camera is in use by another app/ },
  ];
  test.each(states)('$state, without axe violations', async ({ state, on, says }) => {
    const { page } = person;
    await openWith(page, state, on);
    await page.getByText(says).waitFor();
    expect(await complaintsAbout(state, page)).toEqual([]);
  });

  test('the notice disappears when access is granted, and a guest who does not wait joins to listen', async () => {
    const { page } = person;
    await openWith(page, 'busy');
    const notice = page.getByText(/in use by another app/);
    await notice.waitFor();
    await page.evaluate(() => {
      sessionStorage.setItem('devices', 'given');
      dispatchEvent(new Event('focus'));
    });
    await page.locator('.preview-picture video').waitFor();
    await notice.waitFor({ state: 'detached' });

    await openWith(page, 'blocked');
    await page.getByText(/^This site isn’t allowed to use/).waitFor();
    await page.getByLabel('Your name').fill('Ears');
    await button(page, 'Join').click();
    await page.getByText('Ears (you)').waitFor();
    await button(page, 'Unmute microphone').waitFor();
  });
});

describe('in the call', () => {
  let person: Person;
  beforeAll(async () => {
    person = await openBrowser({ camera: 'red', width: 1280, height: 800 });
  });
  afterAll(() => person?.close());

  test('preview, tests, menus and dialogs have no axe violations; the speaker plays', async () => {
    const { page } = person;
    await page.goto(prepared.guestUrl);
    await page.locator('.preview-picture video').waitFor();
    const found = await complaintsAbout('preview', page);
    await button(page, 'Test my speaker').click();
    await page.getByText('Playing two tones…').waitFor();
    await page.getByText('Playing two tones…').waitFor({ state: 'detached' });
    await button(page, 'Test my speaker').waitFor();
    expect(await page.getByText('No sound could be played').count()).toBe(0);

    await button(page, 'Test my connection').click();
    await button(page, 'Test again').waitFor();
    found.push(...(await complaintsAbout('dialog: connection test', page)));
    await page.keyboard.press('Escape');

    await page.getByLabel('Your name').fill('Ada');
    await button(page, 'Join').click();
    await button(page, 'Device settings').click();
    await page.getByRole('dialog', { name: 'Devices' }).waitFor();
    found.push(...(await complaintsAbout('dialog: devices', page)));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect
      .poll(() => button(page, 'Device settings').evaluate((it) => it === document.activeElement))
      .toBe(true);

    for (const menu of ['React', 'Layout']) {
      await button(page, menu).click();
      await page.locator('[popover]:popover-open').waitFor();
      found.push(...(await complaintsAbout(menu, page)));
      await page.keyboard.press('Escape');
    }
    expect(found).toEqual([]);
    expect(person.complaints).toEqual([]);
  });

  test('a host in a narrow window has all controls in one row, with the device settings in the menu', async () => {
    const host = await person.context.newPage();
    await host.setViewportSize({ width: 390, height: 844 });
    await host.goto(await hostUrl(prepared));
    await button(host, 'Join').click();
    const controls = host.getByRole('region', { name: 'Call controls' });
    await button(host, 'People').waitFor();
    const places = await controls.locator('> button:visible').evaluateAll((all) =>
      all.map((one) => {
        const { top, left, right } = one.getBoundingClientRect();
        return { top, isInside: left >= 0 && right <= innerWidth };
      }),
    );
    expect(new Set(places.map(({ top }) => top)).size).toBe(1);
    expect(places.every(({ isInside }) => isInside)).toBe(true);
    expect(await button(host, 'Device settings').count()).toBe(0);

    // As on a phone's call page, where the checklist takes the rest.
    await host.setViewportSize({ width: 390, height: 355 });
    await button(host, 'Layout').press('Enter');
    const menu = await host.locator('[popover]:popover-open').boundingBox();
    expect(menu?.y).toBeGreaterThanOrEqual(0);
    await button(host, 'Device settings').press('Enter');
    await host.getByRole('dialog', { name: 'Devices' }).waitFor();
    await host.keyboard.press('Escape');
    await expect
      .poll(() => button(host, 'Layout').evaluate((it) => it === document.activeElement))
      .toBe(true);
    await host.close();
  });

  test('the lobby has no axe violations', async () => {
    const { page } = person;
    await prepared.user.send('PATCH', `/api/rooms/${prepared.roomId}`, { lobby: true });
    const fresh = await person.context.newPage();
    await fresh.goto(prepared.guestUrl);
    await fresh.getByLabel('Your name').fill('Bo');
    await button(fresh, 'Ask to join').click();
    await fresh.getByRole('heading', { name: 'You’re in the lobby' }).waitFor();
    expect(await complaintsAbout('lobby', fresh)).toEqual([]);
    await fresh.close();
    await prepared.user.send('PATCH', `/api/rooms/${prepared.roomId}`, { lobby: false });
    await page.close();
  });
});

describe('on a phone of 390 × 844, joining takes', () => {
  let person: Person;
  let taps = 0;
  beforeAll(async () => {
    person = await openBrowser({ camera: 'red', width: 390, height: 844, phone: true });
  });
  afterAll(() => person?.close());

  /** Without scrolling: a button that is out of sight costs more than a tap. */
  async function tap(page: Page, target: ReturnType<Page['locator']>): Promise<void> {
    await target.waitFor();
    const box = await target.boundingBox();
    if (box === null || box.y < 0 || box.y + box.height > 844) throw new Error('is not in sight');
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    taps += 1;
  }

  test('two taps plus typing the name, and one tap when it is remembered', async () => {
    const { page } = person;
    await page.goto(prepared.guestUrl);
    await page.locator('.preview-picture video').waitFor();
    await tap(page, page.getByLabel('Your name'));
    await page.keyboard.type('Ada');
    await tap(page, button(page, 'Join'));
    await page.getByText('Ada (you)').waitFor();
    expect(taps).toBe(2);

    taps = 0;
    await page.goto('about:blank');
    const next = await person.context.newPage();
    await next.goto(prepared.guestUrl);
    await next.locator('.preview-picture video').waitFor();
    await tap(next, button(next, 'Join'));
    await next.getByText('Ada (you)').waitFor();
    expect(taps).toBe(1);
  });
});
