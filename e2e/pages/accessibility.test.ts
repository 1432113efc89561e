import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inFullRun } from '#server/testing/full-run.ts';
import { ApiUser } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { discard, type Program, startProgram } from '../support/program.ts';
import { screens } from '../support/screens.ts';
import { frameOf } from '../support/staff.ts';

type Page = Person['page'];

let program: Program;
const mara = { email: 'mara@northwind.example', password: 'demo-password' };

beforeAll(async () => {
  program = await startProgram({}, undefined, undefined, 'demo');
  // An event with metadata for the audit log.
  const user = new ApiUser(program.url);
  await user.send('POST', '/api/login', mara);
  await user.send('PUT', '/api/user', { lastName: 'Lindqvist-Berg' });
});
afterAll(async () => {
  if (program) await discard(program);
});

/** The elements of a page do not depend on the width: only in a full run, axe checks a narrow window, too. */
const themesAt = (width: number) =>
  width > 640 || inFullRun(true, false) ? (['light', 'dark'] as const) : [];
/** Navigates within the app, as a link does. */
async function show(page: Page, path: string): Promise<void> {
  if (!page.url().startsWith(`${program.url}/app`)) await page.goto(program.url + path);
  else
    await page.evaluate((address) => {
      history.pushState(null, '', address);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
}

/** Presses Escape until nothing is above the page. */
async function closeAll(page: Page): Promise<void> {
  const above = page.locator('[role=dialog], [role=alertdialog], [role=menu], dialog[open]');
  while ((await above.count()) > 0) {
    await page.keyboard.press('Escape');
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/** Returns the tables that overflow their width: on a phone they stack. */
const sidewaysScrolls = () =>
  [...document.querySelectorAll('table')]
    .map(({ parentElement }) => parentElement)
    .filter((frame) => frame && frame.scrollWidth > frame.clientWidth)
    .map((frame) => frame?.getAttribute('aria-label'));
const widerBy = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

/**
 * Returns axe's violations of this screen, one line each: of all rules in the first theme, of colors
 * in the other, whose elements are the same.
 */
async function complaintsAbout(name: string, page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of themesAt(page.viewportSize()?.width ?? 0)) {
    await page.emulateMedia({ colorScheme });
    const scope = colorScheme === 'light' ? 'whole page' : 'colors';
    const violations = await axeViolations(page, scope);
    found.push(...violations.map((violation) => `${name}, ${colorScheme}: ${violation}`));
  }
  return found;
}

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };

/** Without a full run, a screen is shown at 1280 px, and then made narrow. */
describe.each(inFullRun([phone, desktop], [desktop]))(
  'at $width px, axe finds no violation of WCAG 2.2 A and AA',
  (size) => {
    const wideOrFull = { tags: size.width > 640 ? [] : ['full'] };
    let person: Person;
    beforeAll(async () => {
      person = await openBrowser(size);
      const user = new ApiUser(program.url);
      await user.send('POST', '/api/login', mara);
      await user.signIn(person);
    });
    afterAll(() => person?.close());

    test.each(screens)('$name', async ({ name, path, seen, open, returnsTo }) => {
      const { page } = person;
      await show(page, path);
      await page.getByText(seen).filter({ visible: true }).first().waitFor();
      await page.waitForLoadState('networkidle');
      // What is out of date is faded until the answer comes.
      await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
      await open?.(page);
      expect(await complaintsAbout(name, page)).toEqual([]);
      for (const shown of inFullRun([size], [size, phone])) {
        await page.setViewportSize(shown);
        // The page follows a new size a moment later.
        await expect
          .poll(() => page.evaluate(widerBy), { message: 'wider than the window' })
          .toBeLessThanOrEqual(0);
        await expect
          .poll(() => page.evaluate(sidewaysScrolls), { message: 'scrolls sideways' })
          .toEqual([]);
      }
      await page.setViewportSize(size);
      await closeAll(page);
      if (returnsTo) {
        const opener = page.getByRole('button', { name: returnsTo }).first();
        await expect.poll(() => opener.evaluate((it) => it === document.activeElement)).toBe(true);
      }
    });

    test('a call: its preview, its panel, and the score afterwards', wideOrFull, async () => {
      const { page } = person;
      await page.goto(`${program.url}/app/rooms`);
      await page.getByRole('link', { name: 'Join Call' }).first().click();
      const frame = await frameOf(person);
      await frame.getByRole('button', { name: 'Join', exact: true }).waitFor();
      await page.getByRole('timer').waitFor();
      const found = await complaintsAbout('call', page);
      const preview = await axeViolations(frame);
      found.push(...preview.map((violation) => `preview: ${violation}`));
      await frame.getByRole('button', { name: 'Join', exact: true }).click();
      await frame.getByRole('button', { name: 'Chat' }).waitFor();
      const meeting = await axeViolations(frame);
      found.push(...meeting.map((violation) => `meeting: ${violation}`));
      for (const [button, close] of [
        ['Chat', 'Close the chat'],
        ['People', 'Close the list'],
      ] as const) {
        await frame.getByRole('button', { name: button }).click();
        await frame.getByRole('button', { name: close }).waitFor();
        const panel = await axeViolations(frame);
        found.push(...panel.map((violation) => `${button}: ${violation}`));
        await frame.getByRole('button', { name: close }).click();
      }
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click();
        found.push(...(await complaintsAbout(`call: ${await tab.textContent()}`, page)));
      }
      await page.getByRole('button', { name: 'Leave Call' }).click();
      await page.getByRole('dialog', { name: 'How did the call go?' }).waitFor();
      found.push(...(await complaintsAbout('score', page)));
      expect(found).toEqual([]);
    });

    test('signed out: sign-in, invitation, reset, and the guest’s page', wideOrFull, async () => {
      const admin = new ApiUser(program.url);
      await admin.send('POST', '/api/login', mara);
      const email = `invited-${size.width}@northwind.example`;
      const invited = await admin.send<{ url: string }>('POST', '/api/users/invite', {
        email,
        role: 'VIEWER',
      });
      const [room] = await admin.send<{ id: string }[]>('GET', '/api/rooms');
      const guest = await admin.send<{ url: string }>('GET', `/api/rooms/${room?.id}/guest-link`);
      const stranger = await openBrowser(size);
      const { page } = stranger;
      const found: string[] = [];
      await page.goto(`${program.url}/auth`);
      await page.getByRole('button', { name: 'Forgot password?' }).click();
      await page.getByRole('dialog', { name: 'Reset Password' }).waitFor();
      found.push(...(await complaintsAbout('reset dialog', page)));
      await closeAll(page);
      for (const tab of ['Sign In', 'Create Account']) {
        await page.getByRole('tab', { name: tab }).click();
        await page.getByRole('button', { name: tab, exact: true }).click();
        await page.getByRole('alert').first().waitFor();
        found.push(...(await complaintsAbout(tab, page)));
      }
      for (const [path, button] of [
        [new URL(invited.url).pathname, 'Accept Invitation'],
        ['/reset-password/never-sent', 'Reset Password'],
      ] as const) {
        await page.goto(program.url + path);
        await page.getByRole('button', { name: button }).click();
        await page.getByRole('alert').first().waitFor();
        found.push(...(await complaintsAbout(button, page)));
      }
      for (const path of ['/shared/never-made', '/verify-email/never-sent', '/join/never-made']) {
        await page.goto(program.url + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        found.push(...(await complaintsAbout(path, page)));
      }
      await page.goto(guest.url);
      await page.getByRole('button', { name: 'Join', exact: true }).click();
      await page.getByText('Please enter your name.').waitFor();
      found.push(...(await complaintsAbout('guest', page)));
      await page.getByLabel('Your name').fill('Helen Okafor');
      await page.getByRole('button', { name: 'Join', exact: true }).click();
      await page.getByRole('button', { name: 'Leave' }).click();
      await page.getByRole('heading', { name: 'You left the call' }).waitFor();
      found.push(...(await complaintsAbout('the end', page)));
      await stranger.close();
      expect(found).toEqual([]);
    });

    test('an agent at the pages of admins', wideOrFull, async () => {
      const agent = await openBrowser(size);
      const user = new ApiUser(program.url);
      await user.send('POST', '/api/login', { ...mara, email: 'jonas@northwind.example' });
      await user.signIn(agent);
      const { page } = agent;
      await page.goto(`${program.url}/app/settings/privacy`);
      await page.getByRole('heading', { name: 'Access Denied' }).waitFor();
      const found = await complaintsAbout('privacy', page);
      await page.goto(`${program.url}/app/settings`);
      await page.getByText("You don't have permission").waitFor();
      found.push(...(await complaintsAbout('settings', page)));
      await agent.close();
      expect(found).toEqual([]);
    });

    test('a person without an organization', wideOrFull, async () => {
      const alone = await openBrowser(size);
      const admin = new ApiUser(program.url);
      await admin.send('POST', '/api/login', mara);
      const email = `removed-${size.width}@northwind.example`;
      const invited = await admin.send<{ url: string }>('POST', '/api/users/invite', {
        email,
        role: 'AGENT',
      });
      const removed = new ApiUser(program.url);
      const names = { firstName: 'Bo', lastName: 'Ek', email, password: 'correct horse' };
      const token = new URL(invited.url).pathname.split('/').at(-1);
      const user = await removed.send<{ id: string }>(
        'POST',
        `/api/invitations/${token}/accept`,
        names,
      );
      await admin.send('DELETE', `/api/users/${user.id}`);
      await removed.send('POST', '/api/login', names);
      await removed.signIn(alone);
      await alone.page.goto(`${program.url}/app`);
      await alone.page.getByRole('heading', { name: 'You’re not in an organization' }).waitFor();
      expect(await complaintsAbout('no organization', alone.page)).toEqual([]);
      await alone.page.getByLabel('Organization name').fill('Ek & Co');
      await alone.page.getByRole('button', { name: 'Create organization' }).click();
      await alone.page.getByRole('heading', { name: 'Dashboard' }).waitFor();
      await alone.page.getByText('Ek & Co').first().waitFor({ state: 'attached' });
      await alone.close();
    });
  },
);
