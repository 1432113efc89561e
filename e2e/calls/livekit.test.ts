import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { freePort } from '#server/testing/free-port.ts';
import { hostUrl, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import type { Color } from '../support/fake-camera.ts';
import {
  hasLiveKit,
  type LiveKitNode,
  liveKitSettings,
  startLiveKit,
} from '../support/livekit-server.ts';
import { seesMoving } from '../support/pixels.ts';
import { discard, type Program, startProgram } from '../support/program.ts';
import { noteRecording } from '../support/recorded-parts.ts';
import { hasRedisServer, startRedis } from '../support/redis-server.ts';
import { frameOf, joinFromPreview, meetingFrame } from '../support/staff.ts';

const open: Person[] = [];
const nodes: LiveKitNode[] = [];
let program: Program | undefined;

async function guest(guestUrl: string, name: string, camera: Color): Promise<Page> {
  const person = await openBrowser({ camera, width: 900, height: 640 });
  open.push(person);
  await person.page.goto(guestUrl);
  await person.page.getByLabel('Your name').fill(name);
  await person.page.getByRole('button', { name: 'Join', exact: true }).click();
  return person.page;
}

const usesLiveKit = (page: Page) =>
  page.evaluate(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('livekit-transport')),
  );

/** @returns whether the page was without that participant's video at any time since */
async function watchForLoss(page: Page, name: string): Promise<() => Promise<boolean>> {
  await page.evaluate((label) => {
    const look = () => {
      const shown = document.querySelector(`video[aria-label="${label}"][data-shown]`);
      if (shown === null) Reflect.set(window, 'pictureWasLost', true);
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
    });
  }, name);
  return () => page.evaluate(() => Reflect.get(window, 'pictureWasLost') === true);
}

const pictureOf = (name: string) => `li.tile:has(video[aria-label="${name}"]) video`;

afterEach(async () => {
  await Promise.all(open.splice(0).map((person) => person.close()));
  if (program) await discard(program);
  program = undefined;
  await Promise.all(nodes.splice(0).map((node) => node.kill()));
});

describe.skipIf(!hasLiveKit())('by LiveKit', () => {
  test('a guest and staff see each other’s moving video, mute, share a screen, and leave', async () => {
    const port = await freePort();
    nodes.push(await startLiveKit({ webhook: `http://127.0.0.1:${port}/api/webhooks/livekit` }));
    const env = { VIDEO_PROVIDER: 'livekit', ...liveKitSettings(...nodes) };
    program = await startProgram(env, undefined, port);
    const { user, roomId, guestUrl } = await prepareRoom(program.url, 'LiveKit story');
    const staff = await openBrowser({ camera: 'blue' });
    open.push(staff);
    await user.signIn(staff);
    await staff.page.goto(`${program.url}/app/rooms/${roomId}/call`);
    await joinFromPreview(staff);
    const bo = await guest(guestUrl, 'Bo', 'red');
    const frame = await frameOf(staff);
    await seesMoving(frame, pictureOf('Bo'), 'red');
    await seesMoving(bo, pictureOf('Ada Lovelace'), 'blue');

    await bo.getByRole('button', { name: 'Mute microphone' }).click();
    const muted = meetingFrame(staff).locator('li.tile', { hasText: 'Bo' }).getByLabel('muted');
    await expect.poll(() => muted.count()).toBe(1);
    await bo.getByRole('button', { name: 'Share your screen' }).click();
    await meetingFrame(staff).getByLabel('Bo’s screen').waitFor();
    await bo.getByRole('button', { name: 'Leave' }).click();
    await expect.poll(() => meetingFrame(staff).locator('li.tile').count()).toBe(1);
    expect(staff.complaints).toEqual([]);
  });

  test('a page whose video goes by LiveKit records itself in the same parts', {
    tags: 'full',
  }, async () => {
    nodes.push(await startLiveKit());
    program = await startProgram({ VIDEO_PROVIDER: 'livekit', ...liveKitSettings(...nodes) });
    const prepared = await prepareRoom(program.url, 'Recorded by LiveKit');
    const { user, roomId, guestUrl } = prepared;
    await user.send('PUT', `/api/rooms/${roomId}/capture-settings`, { recording: 'start' });
    const { id } = await user.send<{ id: string }>('POST', '/api/calls', { roomId });
    const visit = async (url: string, answer: string, name?: string) => {
      const person = await openBrowser();
      open.push(person);
      const sent = noteRecording(person.context);
      await person.page.goto(url);
      if (name) await person.page.getByLabel('Your name').fill(name);
      await person.page.getByLabel(answer).check();
      await person.page.getByRole('button', { name: 'Join', exact: true }).click();
      return { ...person, sent };
    };
    const ada = await visit(await hostUrl(prepared), 'Join unrecorded');
    const { page, sent } = await visit(guestUrl, 'Record me', 'Bo');
    const partsOf = () => [...sent.acknowledged.values()].flat().length;
    await expect.poll(partsOf, { timeout: 60_000 }).toBeGreaterThan(2);
    expect(await usesLiveKit(page)).toBe(true);
    expect(sent.requests.some((one) => one.endsWith('/poster'))).toBe(true);
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByText('Your recording has been sent.').waitFor();
    await user.send('PUT', `/api/calls/${id}`, { endForEveryone: true });
    const recorded = () =>
      user.send<{ state: string; people: { name: string }[] }>('GET', `/api/calls/${id}/recording`);
    await expect.poll(async () => (await recorded()).state, { timeout: 60_000 }).toBe('ready');
    expect((await recorded()).people.map(({ name }) => name)).toEqual(['Bo']);
    expect(ada.sent.requests).toEqual([]);
  });

  test('a call that outgrows the mesh moves there, and no participant leaves or sees a frozen video', {
    tags: 'full',
  }, async () => {
    nodes.push(await startLiveKit());
    program = await startProgram({ MESH_LIMIT: '2', ...liveKitSettings(...nodes) });
    const { guestUrl } = await prepareRoom(program.url, 'Growing');
    const ada = await guest(guestUrl, 'Ada', 'red');
    const bo = await guest(guestUrl, 'Bo', 'blue');
    await seesMoving(ada, pictureOf('Bo'), 'blue');
    expect(await usesLiveKit(ada)).toBe(false);
    const gone = await watchForLoss(ada, 'Bo');
    const cy = await guest(guestUrl, 'Cy', 'green');
    await seesMoving(cy, pictureOf('Ada'), 'red');
    await seesMoving(cy, pictureOf('Bo'), 'blue');
    for (const page of [ada, bo]) {
      await seesMoving(page, pictureOf('Cy'), 'green');
      expect(await usesLiveKit(page)).toBe(true);
    }
    await seesMoving(ada, pictureOf('Bo'), 'blue');
    expect(await gone()).toBe(false);
  });

  test.skipIf(!hasRedisServer())(
    'the node of the call is killed, and the call continues on the other one',
    { tags: 'full' },
    async () => {
      const redis = await startRedis();
      try {
        nodes.push(await startLiveKit({ redis: redis.address }));
        nodes.push(await startLiveKit({ redis: redis.address }));
        const env = { VIDEO_PROVIDER: 'livekit', ...liveKitSettings(...nodes) };
        program = await startProgram(env);
        const { guestUrl } = await prepareRoom(program.url, 'Two nodes');
        const ada = await guest(guestUrl, 'Ada', 'red');
        const bo = await guest(guestUrl, 'Bo', 'blue');
        await seesMoving(ada, pictureOf('Bo'), 'blue');
        await seesMoving(bo, pictureOf('Ada'), 'red');
        const [carrying] = nodes.filter((node) => node.carriesMedia());
        expect(carrying).toBeDefined();
        await carrying?.kill();
        await seesMoving(ada, pictureOf('Bo'), 'blue');
        await seesMoving(bo, pictureOf('Ada'), 'red');
      } finally {
        redis.stop();
      }
    },
  );
});
