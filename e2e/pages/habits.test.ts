import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiUser } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { sharedProgram } from '../support/shared-program.ts';

/** A folder for screenshots of the pages. */
const pictures = process.env.PICTURES;
const password = 'correct horse';
const program = sharedProgram();
let api: ApiUser;
let ada: Person;
let narrow: Person;
let email: string;

beforeAll(async () => {
  email = 'ada@habits.example';
  api = new ApiUser(program.url);
  await api.send('POST', '/api/register', {
    email,
    password,
    firstName: 'Ada',
    lastName: 'Lovelace',
    orgName: 'Acme Success',
  });
  ada = await openBrowser({ devices: 'none' });
  narrow = await openBrowser({ devices: 'none', width: 390, height: 844, dark: true });
  for (const person of [ada, narrow]) await api.signIn(person);
  if (pictures) mkdirSync(pictures, { recursive: true });
});
afterAll(async () => {
  await ada?.close();
  await narrow?.close();
});

const path = ({ page }: Person) => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};
const picture = async ({ page }: Person, name: string) => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
};
const makeRoom = (topic: string) => api.send<{ id: string }>('POST', '/api/rooms', { topic });
const makePlaybook = (title: string, items: string[]) =>
  api.send<{ id: string; checklistItems: { id: string; text: string }[] }>(
    'POST',
    '/api/playbooks',
    { title, checklistItems: items.map((text) => ({ text })) },
  );
const menu = async ({ page }: Person, thing: string, item: string) => {
  await page.getByRole('button', { name: `More options for ${thing}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

test('a room is renamed, archived, found in the archive, and restored, by keyboard alone', async () => {
  const { page } = ada;
  await makeRoom('Globex kick-off');
  await page.goto(`${program.url}/app/rooms`);
  await page.getByRole('button', { name: 'More options for Globex kick-off' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  const topic = page.getByRole('dialog').getByLabel('Room Topic');
  await expect.poll(() => topic.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await axeViolations(page)).toEqual([]);
  await topic.fill('Globex renewal');
  await page.keyboard.press('Enter');
  await page.getByText('Room updated').first().waitFor();
  await page.getByRole('heading', { name: 'Globex renewal' }).waitFor();

  await menu(ada, 'Globex renewal', 'Archive');
  const question = page.getByRole('alertdialog');
  await question.getByText(/its guest link will stop working/).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await question.getByRole('button', { name: 'Archive' }).click();
  await page.getByText('Room archived').first().waitFor();
  await page.getByRole('heading', { name: 'Globex renewal' }).waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: 'Archived' }).click();
  await page.getByText(/^Archived .* by Ada$/).waitFor();
  expect(path(ada)).toBe('/app/rooms?status=archived');
  expect(await axeViolations(page)).toEqual([]);
  await menu(ada, 'Globex renewal', 'Restore');
  await page.getByText('Room restored').first().waitFor();
  await page.getByText('No archived rooms').waitFor();
});

test('an archived room’s call and guest link say why joining is not possible', async () => {
  const { page } = ada;
  const { id } = await makeRoom('Closed');
  const { url } = await api.send<{ url: string }>('GET', `/api/rooms/${id}/guest-link`);
  await api.send('PUT', `/api/rooms/${id}/archive`);
  await page.goto(`${program.url}/app/rooms/${id}/call`);
  await page.getByText('This room is archived').waitFor();
  await page.goto(url);
  await page
    .getByText(/This room is closed/)
    .first()
    .waitFor();
});

test('items are moved by dragging and by keys, and keep their ids; two editors do not overwrite each other', async () => {
  const { page } = ada;
  const playbook = await makePlaybook('Review', ['One', 'Two', 'Three']);
  await page.goto(`${program.url}/app/playbooks?edit=${playbook.id}`);
  const dialog = page.getByRole('dialog');
  const texts = () =>
    dialog
      .getByRole('textbox', { name: /^Item \d/ })
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
  const handle = (number: number) =>
    dialog.getByRole('button', { name: `Move item ${number}`, exact: true });
  await handle(3).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  const [from, to] = [await handle(3).boundingBox(), await handle(1).boundingBox()];
  if (!from || !to) throw new Error('the handles are not shown');
  await page.mouse.move(from.x + 5, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 5, to.y + 60, { steps: 5 });
  await page.mouse.move(from.x + 5, to.y + 10, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => texts()).toEqual(['Three', 'One', 'Two']);
  await handle(3).focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => texts()).toEqual(['Three', 'Two', 'One']);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Move item 2');

  // Meanwhile another person saves first.
  await api.send('PUT', `/api/playbooks/${playbook.id}`, {
    title: 'Theirs',
    checklistItems: playbook.checklistItems.slice(0, 2).map(({ id, text }) => ({ id, text })),
    version: 1,
  });
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await dialog.getByText(/^Ada changed this playbook while you were editing it/).waitFor();
  await picture(ada, 'conflict');
  expect(await axeViolations(page)).toEqual([]);
  await expect.poll(() => texts()).toEqual(['Three', 'Two', 'One']);
  await dialog.getByRole('button', { name: 'Save my version' }).click();
  await page.getByText('Playbook updated').first().waitFor();
  const saved = await api.send<typeof playbook>('GET', `/api/playbooks/${playbook.id}`);
  expect(saved.checklistItems.map(({ text }) => text)).toEqual(['Three', 'Two', 'One']);
  expect(saved.checklistItems[2]?.id).toBe(playbook.checklistItems[0]?.id);
});

test('Back asks before it closes a dialog with input, and Forward opens it again', {
  tags: 'full',
}, async () => {
  const { page } = ada;
  await page.goto(`${program.url}/app`);
  await page.getByRole('link', { name: 'Rooms', exact: true }).click();
  await page.getByRole('button', { name: 'Create Room' }).first().click();
  const topic = page.getByRole('dialog').getByLabel('Room Topic');
  await topic.waitFor();
  expect(path(ada)).toBe('/app/rooms?room=');
  await page.goBack();
  await topic.waitFor({ state: 'detached' });
  await page.goForward();
  await topic.fill('Half a thought');
  await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBeGreaterThan(0);
  await page.goBack();
  await page.getByRole('alertdialog').getByText('Leave without saving?').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Stay' }).click();
  await expect.poll(() => topic.inputValue()).toBe('Half a thought');
  expect(path(ada)).toBe('/app/rooms?room=');
  await page.goBack();
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect.poll(() => path(ada)).toBe('/app/rooms');
  await topic.waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.goForward();
  await page.goForward();
  await topic.waitFor();
  await expect.poll(() => topic.inputValue(), { message: 'what was thrown away is gone' }).toBe('');
  await page.keyboard.press('Escape');
  await topic.waitFor({ state: 'detached' });
});

test('a lost network keeps the input, and trying again sends it once', async () => {
  const { page, context } = ada;
  await page.goto(`${program.url}/app/rooms?room`);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Room Topic').fill('Over the tunnel');
  await context.setOffline(true);
  await dialog.getByRole('button', { name: 'Create & Join' }).click();
  await dialog.getByText('We couldn’t reach the server.').waitFor();
  await picture(ada, 'offline');
  expect(await axeViolations(page)).toEqual([]);
  await context.setOffline(false);
  await dialog.getByRole('button', { name: 'Try again' }).dblclick();
  await page.waitForURL(/\/call$/);
  const rooms = await api.send<{ topic: string }[]>('GET', '/api/rooms?search=tunnel');
  expect(rooms.length).toBe(1);
});

test('a session that expires during a form: after signing in again the input is restored', async () => {
  const { page, context } = ada;
  await page.goto(`${program.url}/app/playbooks`);
  await page.getByRole('button', { name: 'Create Playbook' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('Long thought out');
  await dialog.getByLabel('New item').fill('First');
  await dialog.getByLabel('New item').press('Enter');
  await dialog.getByLabel('New item').fill('Not added yet');
  await context.clearCookies();
  await dialog.getByRole('button', { name: 'Create Playbook' }).click();
  await page.getByText('You are logged out. Logging in again...').first().waitFor();
  await page.waitForURL(/\/auth\?next=/);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await dialog.getByText('We restored what you typed earlier.').waitFor();
  await picture(ada, 'restored');
  expect(await axeViolations(page)).toEqual([]);
  expect(path(ada)).toBe('/app/playbooks?new=');
  await expect.poll(() => dialog.getByLabel('Title').inputValue()).toBe('Long thought out');
  await dialog.getByRole('button', { name: 'Create Playbook' }).click();
  await page.getByText('Playbook created successfully').first().waitFor();
  await dialog.waitFor({ state: 'detached' });
  const [made] = await api.send<{ checklistItems: { text: string }[] }[]>('GET', '/api/playbooks');
  expect(made?.checklistItems.map(({ text }) => text)).toEqual(['First', 'Not added yet']);
});

test('a reload asks while a form has input, and only then', async () => {
  const { page } = ada;
  const asked: string[] = [];
  const hear = (dialog: { type(): string; accept(): Promise<void> }) => {
    asked.push(dialog.type());
    void dialog.accept();
  };
  page.on('dialog', hear);
  await page.goto(`${program.url}/app/rooms?room`);
  await page.getByRole('dialog').waitFor();
  await page.reload();
  expect(asked).toEqual([]);
  await page.getByLabel('Room Topic').pressSequentially('Typed');
  await page.reload();
  expect(asked).toEqual(['beforeunload']);
  await expect
    .poll(() => page.getByLabel('Room Topic').inputValue(), { message: 'and it is there again' })
    .toBe('Typed');
  page.off('dialog', hear);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('a call has its own address, which survives signing in, and prints black on white', async () => {
  const { page, context } = ada;
  const playbook = await makePlaybook('Kick-off', ['Greet', 'Agree on goals']);
  const room = await api.send<{ id: string }>('POST', '/api/rooms', {
    topic: 'Printed call',
    playbookId: playbook.id,
  });
  const call = await api.send<{ id: string }>('POST', '/api/calls', { roomId: room.id });
  await api.send('PUT', `/api/calls/${call.id}`, {
    notesSnapshot: Array.from({ length: 150 }, (_, n) => `Line ${n + 1} of the notes.`).join('\n'),
    checklistStateJson: { [playbook.checklistItems[0]?.id ?? '']: true },
    npsScore: 6,
    npsFeedback: 'Too long',
    endForEveryone: true,
  });
  const address = `${program.url}/app/calls/${call.id}`;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await context.clearCookies();
  expect((await page.goto(address))?.status()).toBe(200);
  await page.waitForURL(/\/auth\?next=/);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('heading', { name: 'Printed call', level: 1 }).waitFor();
  expect(page.url()).toBe(address);
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Copy notes' }).click();
  await page.getByText('Notes copied').first().waitFor();

  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ media: 'print', colorScheme });
    const looks = await page.evaluate(() => {
      const of = (element: Element | null) => element && getComputedStyle(element);
      return {
        paper: of(document.body)?.backgroundColor,
        ink: of(document.body)?.color,
        score: of(document.querySelector('header [data-look="destructive"]'))?.color,
        sidebar: of(document.querySelector('aside'))?.display,
        buttons: [...document.querySelectorAll('main button')].filter(
          (button) => button.getClientRects().length > 0,
        ).length,
      };
    });
    expect(looks).toEqual({
      paper: 'rgb(255, 255, 255)',
      ink: 'rgb(0, 0, 0)',
      score: 'rgb(0, 0, 0)',
      sidebar: 'none',
      buttons: 0,
    });
  }
  const pdf = await page.pdf({ format: 'A4' });
  if (pictures) writeFileSync(join(pictures, 'call.pdf'), pdf);
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  expect(
    (await page.goto(`${program.url}/app/calls/01900000-0000-7000-8000-000000000000`))?.ok(),
  ).toBe(true);
  await page.getByText('This call doesn’t exist').waitFor();
});

test('Ctrl-K finds a room by its name and opens its page; the server searches a long list', async () => {
  const { page } = ada;
  await page.goto(`${program.url}/app`);
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search and commands' });
  await field.waitFor();
  await page
    .getByRole('option', { name: /tunnel/ })
    .first()
    .waitFor();
  await picture(ada, 'palette');
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.type('TUNNEL');
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toSatisfy(
      (names: string[]) => names.length > 1 && names.every((each) => /tunnel/i.test(each)),
    );
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/app\/rooms\/[^/]+$/);
  await page.goBack();
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await field.fill('audit');
  await page.getByRole('option', { name: 'Audit Logs' }).click();
  await page.waitForURL(/\/app\/settings\/audit-logs$/);
});

test('the palette asks before it leaves unsaved changes', { tags: 'full' }, async () => {
  const { page } = ada;
  await page.goto(`${program.url}/app/settings`);
  await page.getByLabel('Organization name').fill('Acme!');
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Analytics' }).click();
  await page.getByRole('alertdialog').getByText('Leave without saving?').waitFor();
  await page.getByRole('button', { name: 'Stay' }).click();
  await expect.poll(() => page.getByLabel('Organization name').inputValue()).toBe('Acme!');
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Analytics' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL(/\/app\/analytics$/);
});

test('names of maximum length, and two hundred rooms, fit a narrow page', {
  tags: 'full',
}, async () => {
  const { page } = narrow;
  const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(6).slice(0, 200);
  const playbook = await makePlaybook(long, [long.repeat(2), long]);
  await api.send('POST', '/api/rooms', { topic: long, playbookId: playbook.id });
  const { id } = await api.send<{ id: string }>('POST', '/api/rooms', {
    topic: `Newest ${long}`.slice(0, 200),
  });
  const call = await api.send<{ id: string }>('POST', '/api/calls', { roomId: id });
  await api.send('POST', '/api/users/invite', {
    email: `${'x'.repeat(60)}@${'y'.repeat(60)}.example`,
    role: 'AGENT',
  });
  await api.send('PUT', '/api/user', {
    firstName: long.slice(0, 100),
    lastName: long.slice(0, 100),
  });
  for (const [at, sign] of [
    ['/app', 'Recent Calls'],
    ['/app/rooms', 'Join Call'],
    ['/app/rooms?status=archived', 'Archived'],
    [`/app/rooms/${id}`, 'Latest notes'],
    [`/app/playbooks/${playbook.id}`, 'Steps'],
    ['/app/playbooks', 'Search playbooks'],
    [`/app/calls/${call.id}`, 'Participants'],
    ['/app/settings/team', 'Members'],
    ['/app/analytics', 'View All'],
  ] as const) {
    await page.goto(program.url + at);
    await page
      .getByText(sign, { exact: true })
      .or(page.getByLabel(sign, { exact: true }))
      .first()
      .waitFor();
    await page.waitForLoadState('networkidle');
    await picture(narrow, `narrow${at.replaceAll(/\W+/g, '-').slice(0, 20)}`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, at).toBeLessThanOrEqual(390);
    expect([at, await axeViolations(page)]).toEqual([at, []]);
  }

  // Afterwards, because axe takes long for hundreds of rooms, which look the same.
  const batch = Array.from({ length: 200 }, (_, n) => n);
  for (let at = 0; at < batch.length; at += 35)
    await Promise.all(batch.slice(at, at + 35).map((n) => makeRoom(`Customer ${n}`)));
  await page.goto(`${program.url}/app/rooms`);
  const patient = { timeout: 60_000 };
  const joinable = () => page.getByRole('link', { name: 'Join Call' }).count();
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect.poll(joinable, patient).toBe(200);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  await page.getByRole('searchbox', { name: 'Search rooms' }).fill('customer 18');
  await expect.poll(joinable, patient).toBe(11);
  await expect.poll(() => path(narrow), patient).toBe('/app/rooms?q=customer+18');
  await page.reload();
  await expect.poll(joinable, patient).toBe(11);
});

test('the browser consoles have no unexpected errors', () => {
  const expected = /ERR_INTERNET_DISCONNECTED|status of (401|404|409|410)/;
  for (const { complaints } of [ada, narrow])
    expect(complaints.filter((complaint) => !expected.test(complaint))).toEqual([]);
});
