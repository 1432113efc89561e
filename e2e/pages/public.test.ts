import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { inFullRun } from '#server/testing/full-run.ts';
import { prepareRoom } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { type CutLine, openCutLine } from '../support/cut-line.ts';
import { discard, type Program, startProgram } from '../support/program.ts';
import { signUp } from '../support/staff.ts';

const paths = ['/', '/features', '/about', '/contact', '/signup', '/docs/api'];
const thanks = /team will contact you within 24 hours/;
/** A folder for screenshots of the pages. */
const pictures = process.env.PICTURES;
/** The operator’s own pages. */
const legal = {
  PRIVACY_URL: 'https://acme.example/privacy',
  TERMS_URL: 'https://acme.example/terms',
};
let program: Program;
let line: CutLine;
let visitor: Person;

beforeAll(async () => {
  program = await startProgram({ CONTACT_INBOX: 'sales@acme.example', ...legal });
  line = await openCutLine(program.url);
  visitor = await openBrowser({ devices: 'none' });
  if (pictures) mkdirSync(pictures, { recursive: true });
});
afterEach(() => {
  expect(visitor.complaints.splice(0)).toEqual([]);
});
afterAll(async () => {
  await visitor?.close();
  await line?.close();
  if (program) await discard(program);
});

async function fillContact({ page }: Person): Promise<void> {
  await page.getByLabel('First Name*').fill('Grace');
  await page.getByLabel('Last Name*').fill('Hopper');
  await page.getByLabel('Business Email*').fill('grace@navy.example');
  await page.getByLabel('Company Name*').fill('Navy');
}

/** Returns the text of the next alert, which is closed. */
const nextAlert = ({ page }: Person): Promise<string> =>
  new Promise((resolve) => {
    page.once('dialog', async (dialog) => {
      await dialog.accept();
      resolve(dialog.message());
    });
  });

/** Returns how much wider the page is than its window: 0 without overflow. */
const overflowOf = ({ page }: Person): Promise<number> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });

/** Returns whether the text is lighter than the background. */
const isDark = ({ page }: Person): Promise<boolean> =>
  page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.body);
    const lightnessOf = (css: string) => {
      const context = new OffscreenCanvas(1, 1).getContext('2d');
      if (!context) throw new Error('unreachable: every browser draws');
      context.fillStyle = css;
      context.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
      return red + green + blue;
    };
    return lightnessOf(color) > lightnessOf(backgroundColor);
  });

/** Widths and themes, of which each page is loaded once. */
const views: [width: number, dark: boolean][] = [
  [320, false],
  [1280, true],
  ...inFullRun<[number, boolean][]>(
    [
      [390, false],
      [390, true],
      [1280, false],
    ],
    [],
  ),
];

/** Axe takes seconds for the API reference, whose views have the same markup. */
const isChecked = (path: string, [width, dark]: (typeof views)[number]) =>
  inFullRun(
    true,
    !path.startsWith('/docs/api') || (width === (dark ? 1280 : 320) && /de$/.test(path) === dark),
  );

const pathOf = ({ page }: Person) => new URL(page.url()).pathname;

test('a visitor walks through all pages by their links, up to the sign-in page', async () => {
  const { page } = visitor;
  await page.goto(program.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const main = page.getByRole('navigation', { name: 'Main' });
  await main.getByRole('link', { name: 'Features' }).click();
  await page.waitForURL('**/features');
  await page.getByRole('heading', { name: 'Success playbooks' }).waitFor();
  await main.getByRole('link', { name: 'About' }).click();
  await page.waitForURL('**/about');
  await main.getByRole('link', { name: 'Pricing' }).click();
  await page.waitForURL('**/#pricing');
  await page.getByRole('link', { name: 'Contact sales' }).click();
  await page.waitForURL('**/contact?plan=enterprise');
  await expect.poll(() => page.getByLabel('Plan of Interest').inputValue()).toBe('enterprise');
  await page.getByRole('banner').getByRole('link', { name: 'Start free trial' }).click();
  await page.waitForURL('**/signup');
  await page.getByText('Up to 10 video calls').waitFor();
  await page.getByRole('link', { name: 'Create your account' }).click();
  await page.getByRole('tab', { name: 'Create Account', selected: true }).waitFor();
  expect(pathOf(visitor)).toBe('/auth');
  // The app requests the current user, and the browser logs the 401.
  const others = visitor.complaints.splice(0).filter((said) => !said.includes('/api/user'));
  expect(others).toEqual([]);
});

test('links within the API reference jump to their place, and those of other pages scroll', async () => {
  const { page } = visitor;
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const scrolling = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
  await page.goto(program.url);
  expect(await scrolling()).toBe('smooth');
  await page.goto(`${program.url}/docs/api#updateWebhook`);
  expect(await scrolling()).toBe('auto');
});

test('the menu of a narrow screen opens and closes by keyboard', async () => {
  const { page } = visitor;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(program.url);
  await page.getByRole('button', { name: 'Menu' }).focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await menu.getByRole('link', { name: 'About' }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await menu.getByRole('link', { name: 'About' }).click();
  await page.waitForURL('**/about');
});

test('the contact form reports each missing value at its field', async () => {
  const { page } = visitor;
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${program.url}/contact`);
  await page.getByLabel('Business Email*').fill('grace@navy');
  await page.getByLabel('Business Email*').press('Enter');
  for (const sentence of [
    'First name is required',
    'Last name is required',
    'Please enter a valid email address',
    'Company name is required',
  ])
    await page.getByText(sentence).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  const focused = page.locator('*:focus');
  await expect.poll(() => focused.getAttribute('name')).toBe('firstName');
  await expect.poll(() => focused.getAttribute('aria-invalid')).toBe('true');
  await focused.fill('Grace');
  await page.getByText('First name is required').waitFor({ state: 'hidden' });
});

test('the form, submitted by keyboard, logs locally, alerts that the team will contact within 24 hours, and mails the inbox', async () => {
  const { page } = visitor;
  await page.goto(`${program.url}/contact`);
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await fillContact(visitor);
  await page.getByLabel('Message').fill('Hello');
  await page.keyboard.press('Tab');
  const alerted = nextAlert(visitor);
  await page.keyboard.press('Enter');
  expect(await alerted).toMatch(thanks);
  await page.getByRole('status').filter({ hasText: thanks }).waitFor();
  await expect.poll(() => page.getByLabel('First Name*').inputValue()).toBe('');
  expect(logged.some((text) => text.startsWith('Contact form'))).toBe(true);
  const outbox = join(program.dataDir, 'outbox');
  const mails = () =>
    readdirSync(outbox)
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFileSync(join(outbox, name), 'utf8'));
  await expect.poll(() => mails().some((mail) => /To: sales@acme.example/.test(mail))).toBe(true);
});

test('input survives a lost network and a reload, and is then sent', async () => {
  const { page } = visitor;
  await page.goto(`${line.url}/contact`);
  await fillContact(visitor);
  line.cut();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Send message' }).click();
  await page.getByText('Everything you typed is still here').waitFor();
  await expect.poll(() => page.getByLabel('Company Name*').inputValue()).toBe('Navy');
  await page.context().setOffline(false);
  line.mend();
  await page.reload();
  await expect.poll(() => page.getByLabel('Company Name*').inputValue()).toBe('Navy');
  const alerted = nextAlert(visitor);
  await page.getByRole('button', { name: 'Send message' }).click();
  expect(await alerted).toMatch(thanks);
  // The browser logs the failed request.
  const [failed, ...others] = visitor.complaints.splice(0);
  expect(failed).toMatch(/ERR_INTERNET_DISCONNECTED/);
  expect(others).toEqual([]);
});

test.each(paths)(
  '%s: in both themes and languages, at 320, 390, and 1280 px, nothing overflows, without violations of WCAG 2.2 A and AA',
  async (each) => {
    const person = await openBrowser({ height: 844, devices: 'none' });
    const { page } = person;
    try {
      for (const path of [`${each}?lang=en`, `${each}?lang=de`]) {
        await page.goto(`${program.url}${path}`);
        for (const view of views) {
          const [width, dark] = view;
          await page.setViewportSize({ width, height: 844 });
          await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
          const name = `${path} at ${width} px, ${dark ? 'dark' : 'light'}`;
          await expect.poll(() => overflowOf(person), { message: name }).toBe(0);
          await expect.poll(() => isDark(person), { message: name }).toBe(dark);
          // In the dark, only the colors differ.
          if (isChecked(path, view))
            expect(await axeViolations(page, dark ? 'colors' : 'part'), name).toEqual([]);
          if (pictures)
            await page.screenshot({
              path: join(pictures, `${name.replaceAll(/\W+/g, '-')}.png`),
              fullPage: true,
            });
        }
      }
      expect(person.complaints).toEqual([]);
    } finally {
      await person.close();
    }
  },
);

test('signing in without a next leads to /, with Welcome back! and Open dashboard; logging out leads to / again', async () => {
  const person = await openBrowser({ devices: 'none' });
  try {
    const { page } = person;
    // Without its pictures: the message is gone after a few seconds.
    const arrived = () => page.waitForURL(`${program.url}/`, { waitUntil: 'commit' });
    const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@public.example' };
    await signUp(person, program.url, ada);
    await page.getByRole('button', { name: 'Log out' }).click();
    await arrived();
    await page.getByRole('status').getByText('You have been logged out successfully').waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();

    await page.goto(`${program.url}/auth`);
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await arrived();
    await page.getByRole('status').getByText('Welcome back!').waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Open dashboard' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();

    await page.goto(`${program.url}/auth`);
    await page.getByRole('banner').getByRole('link', { name: 'Open dashboard' }).waitFor();
    expect(pathOf(person)).toBe('/');
  } finally {
    await person.close();
  }
});

test('the operator’s privacy notice and terms are linked where people sign in and where guests join', async () => {
  const person = await openBrowser({ width: 390, height: 844 });
  try {
    const { guestUrl } = await prepareRoom(program.url, 'Legal');
    for (const address of [program.url, `${program.url}/auth`, guestUrl]) {
      await person.page.goto(address);
      for (const [name, href] of [
        ['Privacy', legal.PRIVACY_URL],
        ['Terms', legal.TERMS_URL],
      ] as const) {
        const link = person.page.getByRole('link', { name });
        await expect.poll(() => link.getAttribute('href'), { message: address }).toBe(href);
      }
      await expect.poll(() => overflowOf(person)).toBe(0);
    }
  } finally {
    await person.close();
  }
});
