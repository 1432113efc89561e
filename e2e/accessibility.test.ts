import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiUser } from './support/api.ts';
import { axeViolations } from './support/axe.ts';
import { openBrowser, type Person } from './support/browser.ts';
import { discard, type Program, startProgram } from './support/program.ts';
import { frameOf } from './support/staff.ts';

type Page = Person['page'];
interface Screen {
  name: string;
  path: string;
  /** What is on the screen once it is there to look at. */
  seen: string;
  /** Opens what this line is about, where it is more than the page. */
  open?: (page: Page) => Promise<void>;
}

/** Clicks a button, the first of that name, and waits for the dialog that it opens. */
const dialogOf = (button: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor();
};
const narrow = (page: Page) => (page.viewportSize()?.width ?? 0) < 768;

const dashboard = { path: '/app', seen: 'Recent Calls' };
const team = { path: '/app/settings/team', seen: 'Pending invitations' };
const screens: Screen[] = [
  { name: 'dashboard', ...dashboard },
  { name: 'dashboard: a call', ...dashboard, open: dialogOf(/^View the call/) },
  { name: 'dashboard: a new room', ...dashboard, open: dialogOf('Create Room') },
  {
    name: 'dashboard: a new room without a topic',
    ...dashboard,
    open: async (page) => {
      await dialogOf('Create Room')(page);
      await page.getByRole('button', { name: 'Create & Join' }).click();
      await page.getByText('Topic is required').waitFor();
    },
  },
  {
    name: 'menu of the account, in the drawer where it is narrow',
    ...dashboard,
    open: async (page) => {
      if (narrow(page)) await page.getByRole('button', { name: 'Open menu' }).click();
      await page
        .getByRole('button', { name: /Account menu/ })
        .last()
        .click();
      await page.getByRole('menuitem', { name: 'Your profile' }).waitFor();
    },
  },
  { name: 'rooms', path: '/app/rooms', seen: 'Join Call' },
  { name: 'playbooks', path: '/app/playbooks', seen: 'Playbooks' },
  {
    name: 'a new playbook with something missing',
    path: '/app/playbooks',
    seen: 'Playbooks',
    open: async (page) => {
      await dialogOf('Create Playbook')(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Create Playbook' }).click();
      await page.getByText('Title is required').waitFor();
    },
  },
  { name: 'analytics', path: '/app/analytics', seen: 'Promoters' },
  {
    name: 'analytics as tables',
    path: '/app/analytics',
    seen: 'Promoters',
    open: async (page) => {
      const asTable = page.getByRole('button', { name: /^Show as table/ });
      while ((await asTable.count()) > 0) await asTable.first().click();
    },
  },
  { name: 'settings', path: '/app/settings', seen: 'Integrations' },
  {
    name: 'settings: an integration',
    path: '/app/settings',
    seen: 'Integrations',
    open: dialogOf('Connect HubSpot'),
  },
  { name: 'profile', path: '/app/settings/profile', seen: 'This browser' },
  { name: 'team', ...team },
  { name: 'team: inviting', ...team, open: dialogOf('Invite Member') },
  { name: 'team: removing', ...team, open: dialogOf(/^Remove /) },
  { name: 'billing', path: '/app/settings/billing', seen: 'Account status' },
  { name: 'audit logs', path: '/app/settings/audit-logs', seen: 'View metadata' },
  {
    name: 'audit logs: metadata',
    path: '/app/settings/audit-logs',
    seen: 'View metadata',
    open: (page) => page.getByText('View metadata').first().click(),
  },
  { name: 'a path that leads nowhere', path: '/app/nowhere', seen: '404 Page Not Found' },
];

let program: Program;
const mara = { email: 'mara@northwind.example', password: 'demo-password' };

beforeAll(async () => {
  program = await startProgram({}, undefined, undefined, 'demo');
  // For the audit log: an event with metadata.
  const user = new ApiUser(program.url);
  await user.send('POST', '/api/login', mara);
  await user.send('PUT', '/api/user', { lastName: 'Lindqvist-Berg' });
});
afterAll(async () => {
  if (program) await discard(program);
});

const themes = ['light', 'dark'] as const;
const widerBy = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

/** What axe says of this screen in both themes, a line for each. */
async function complaintsAbout(name: string, page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    const violations = await axeViolations(page);
    found.push(...violations.map((violation) => `${name}, ${colorScheme}: ${violation}`));
  }
  return found;
}

describe.each([
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
])('at $width px, in light and dark, axe finds nothing against WCAG 2.2 A and AA', (size) => {
  let person: Person;
  beforeAll(async () => {
    person = await openBrowser(size);
    const user = new ApiUser(program.url);
    await user.send('POST', '/api/login', mara);
    await user.signIn(person);
  });
  afterAll(() => person?.close());

  test.each(screens)('$name', async ({ name, path, seen, open }) => {
    const { page } = person;
    await page.goto(program.url + path);
    await page.getByText(seen).filter({ visible: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await open?.(page);
    expect(await complaintsAbout(name, page)).toEqual([]);
    expect(await page.evaluate(widerBy), 'wider than the window').toBeLessThanOrEqual(0);
  });

  test('a call: its preview, its panel, and the score afterwards', async () => {
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
    await frame.getByRole('button', { name: 'Leave' }).waitFor();
    const meeting = await axeViolations(frame);
    found.push(...meeting.map((violation) => `meeting: ${violation}`));
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      found.push(...(await complaintsAbout(`call: ${await tab.textContent()}`, page)));
    }
    await page.getByRole('button', { name: 'Leave Call' }).click();
    await page.getByRole('dialog', { name: 'How did the call go?' }).waitFor();
    found.push(...(await complaintsAbout('score', page)));
    expect(found).toEqual([]);
  });

  test('without an organization', async () => {
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
    await removed.send('POST', '/api/login', names);
    await admin.send('DELETE', `/api/users/${user.id}`);
    await removed.signIn(alone);
    await alone.page.goto(`${program.url}/app`);
    await alone.page.getByRole('heading', { name: 'You are not in an organization' }).waitFor();
    expect(await complaintsAbout('no organization', alone.page)).toEqual([]);
    await alone.page.getByLabel('Organization name').fill('Ek & Co');
    await alone.page.getByRole('button', { name: 'Create organization' }).click();
    await alone.page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await alone.page.getByText('Ek & Co').first().waitFor({ state: 'attached' });
    await alone.close();
  });
});
