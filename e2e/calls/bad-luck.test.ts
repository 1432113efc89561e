import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { seesMoving } from '../support/pixels.ts';
import { sharedProgram } from '../support/shared-program.ts';
import { endForEveryone } from '../support/staff.ts';

/** Failures on one side of a call: devices, permissions, clocks, names, tabs and invalid offers. */
const remoteVideo = 'li.tile:not([data-own]) video';
const rightToLeft = 'شمس 👩‍👩‍👧‍👦 '.repeat(40).slice(0, 500);
const program = sharedProgram();
let prepared: Prepared;
let ada: Person;
let count = 0;
const others: Person[] = [];

beforeAll(async () => {
  ada = await openBrowser({ camera: 'red', width: 640 });
});
afterAll(() => ada?.close());
beforeEach(async () => {
  count += 1;
  prepared = await prepareRoom(program.url, `Bad luck ${count}`);
  ada.complaints.length = 0;
  await join(ada, 'Ada');
});
afterEach(async () => {
  await Promise.all(others.splice(0).map((person) => person.close()));
});

async function join({ page }: Person, name: string): Promise<void> {
  await page.goto(prepared.guestUrl);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
}

async function open(camera: 'blue' | 'green', script?: () => void): Promise<Person> {
  return opened(await openBrowser({ camera, width: 640 }), script);
}

async function opened(person: Person, script?: () => void): Promise<Person> {
  others.push(person);
  if (script) await person.context.addInitScript(script);
  return person;
}

/** The visible notice; an announcer has the same text for screen readers. */
const says = ({ page }: Person, words: string) =>
  page.locator('.notice', { hasText: words }).first();
const tilesOf = ({ page }: Person, name: string) => page.locator('li.tile', { hasText: name });

/**
 * Behaves like a browser whose camera is unplugged and plugged in again; no test can do that to a
 * real one.
 */
function cameraOnACable(): void {
  const { mediaDevices } = navigator;
  const [enumerate, get] = [mediaDevices.enumerateDevices, mediaDevices.getUserMedia];
  const cameras: MediaStreamTrack[] = [];
  let plugged = true;
  mediaDevices.enumerateDevices = async () =>
    (await enumerate.call(mediaDevices)).filter(({ kind }) => plugged || kind !== 'videoinput');
  mediaDevices.getUserMedia = async (wish) => {
    if (wish?.video && !plugged)
      throw new DOMException('Requested device not found', 'NotFoundError');
    const stream = await get.call(mediaDevices, wish);
    cameras.push(...stream.getVideoTracks());
    return stream;
  };
  Reflect.set(window, 'plugCamera', (there: boolean) => {
    plugged = there;
    if (!there) {
      for (const track of cameras.splice(0)) {
        track.stop();
        track.dispatchEvent(new Event('ended'));
      }
    }
    mediaDevices.dispatchEvent(new Event('devicechange'));
  });
}
const plugCamera = ({ page }: Person, there: boolean) =>
  page.evaluate((isThere) => {
    const plug: unknown = Reflect.get(window, 'plugCamera');
    if (typeof plug === 'function') plug(isThere);
  }, there);

test('an unplugged camera: both sides see it, audio continues, and video returns when it is plugged in', async () => {
  const bo = await open('blue', cameraOnACable);
  await join(bo, 'Bo');
  await seesMoving(ada.page, remoteVideo, 'blue');
  await plugCamera(bo, false);
  await says(bo, 'No camera found. Plug one in and we’ll use it automatically.').waitFor();
  await expect.poll(() => tilesOf(ada, 'Bo').locator('video').count()).toBe(0);
  await bo.page.getByRole('button', { name: 'Mute microphone' }).waitFor();
  await plugCamera(bo, true);
  await seesMoving(ada.page, remoteVideo, 'blue');
  await expect.poll(() => says(bo, 'No camera was found.').count()).toBe(0);
});

test('a permission revoked in a call: a notice says what to do, the call continues, and so do the devices once it is granted', async () => {
  // Without the flag that grants every permission: this one is real.
  const bo = await opened(await openBrowser({ camera: 'blue', width: 640, devices: 'deny' }));
  const { origin } = new URL(program.url);
  await bo.context.grantPermissions(['camera', 'microphone'], { origin });
  await join(bo, 'Bo');
  await seesMoving(ada.page, remoteVideo, 'blue');
  await bo.context.clearPermissions();
  const browser = await bo.context.newCDPSession(bo.page);
  for (const name of ['camera', 'microphone']) {
    await browser.send('Browser.setPermission', {
      permission: { name },
      setting: 'denied',
      origin,
    });
  }
  await says(bo, 'This site isn’t allowed to use your camera and microphone.').waitFor();
  await tilesOf(ada, 'Bo').getByLabel('muted').waitFor();
  await seesMoving(bo.page, remoteVideo, 'red');
  await bo.context.grantPermissions(['camera', 'microphone'], { origin });
  await seesMoving(ada.page, remoteVideo, 'blue');
  await expect.poll(() => says(bo, 'This site may not use').count()).toBe(0);
});

test('a participant in two tabs: the call continues in the newer one, and the older one shows a notice', async () => {
  const bo = await open('blue');
  await join(bo, 'Bo');
  await seesMoving(ada.page, remoteVideo, 'blue');
  const opening = bo.context.waitForEvent('page');
  // As "Duplicate tab" does: with the tab's session storage.
  await bo.page.evaluate(() => window.open(window.location.href));
  const second = await opening;
  await bo.page.getByRole('heading', { name: 'You joined in another tab' }).waitFor();
  await bo.page.getByRole('button', { name: 'Use this tab instead' }).waitFor();
  await second.bringToFront();
  await second.locator('li.tile', { hasText: 'Ada' }).waitFor();
  await seesMoving(ada.page, remoteVideo, 'blue');
  expect(await tilesOf(ada, 'Bo').count()).toBe(1);
});

test('invalid offers: a page that receives them keeps its other connections, without console errors', async () => {
  const bo = await open('blue');
  await join(bo, 'Bo');
  await seesMoving(ada.page, remoteVideo, 'blue');
  const cy = await open('green', () => {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function broken(data) {
      const text = typeof data === 'string' ? data : '';
      send.call(this, text.replace(/"sdp":"[^"]*"/, '"sdp":"certainly not SDP"'));
    };
  });
  await join(cy, 'Cy');
  await tilesOf(ada, 'Cy').getByText('Connecting…').waitFor();
  const id = await tilesOf(ada, 'Bo').getAttribute('data-participant');
  await seesMoving(ada.page, `li.tile[data-participant="${id}"] video`, 'blue');
  await cy.page.getByRole('button', { name: 'Leave' }).click();
  await expect.poll(() => tilesOf(ada, 'Cy').count()).toBe(0);
  await seesMoving(ada.page, remoteVideo, 'blue');
  expect(ada.complaints).toEqual([]);
});

test('a name of 500 right-to-left characters with emoji does not break the layout', async () => {
  const bo = await open('blue');
  await join(bo, rightToLeft);
  await seesMoving(ada.page, remoteVideo, 'blue');
  await tilesOf(ada, 'شمس').waitFor();
  for (const { page } of [ada, bo]) {
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  }
  const name = tilesOf(ada, 'شمس').getByText(/شمس/).first();
  const [box, tile] = [await name.boundingBox(), await tilesOf(ada, 'شمس').boundingBox()];
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(
    (tile?.x ?? 0) + (tile?.width ?? 0),
  );
});

test('with a clock two hours ahead, the timer and the length of the call are right', async () => {
  const staff = await open('blue', () => {
    const Real = Date;
    const ahead = 2 * 60 * 60 * 1000;
    class Shifted extends Real {
      constructor(...given: [] | [string | number]) {
        super(given.length === 0 ? Real.now() + ahead : given[0]);
      }
      static override now = () => Real.now() + ahead;
    }
    Reflect.set(window, 'Date', Shifted);
  });
  await prepared.user.signIn(staff);
  await staff.page.goto(`${program.url}/app/rooms/${prepared.roomId}/call`);
  const meeting = staff.page.frameLocator('iframe[title="Video call"]');
  await meeting.getByRole('button', { name: 'Join', exact: true }).click();
  await seesMoving(ada.page, remoteVideo, 'blue');
  expect(await staff.page.getByRole('timer', { name: 'Elapsed' }).first().textContent()).toMatch(
    /^[0-4]:\d\d$/,
  );
  await endForEveryone(staff.page);
  await expect
    .poll(async () => {
      const path = `/api/calls?roomId=${prepared.roomId}`;
      const [call] = await prepared.user.send<{ durationSec: number | null }[]>('GET', path);
      return call?.durationSec ?? Number.POSITIVE_INFINITY;
    })
    .toBeLessThan(300);
});
