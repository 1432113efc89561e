import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readOrganization } from '#domain/organizations/contract.ts';
import { logoIdOf, logoMostBytes } from '#domain/organizations/logo.ts';
import { readGuestInvitation, readGuestLink } from '#domain/rooms/contract.ts';
import { inviteUser } from '#domain/team/contract.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { fileForm, smallPng } from '#server/testing/requests.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { forgetLeftLogos } from './jobs.ts';

type Admin = Awaited<ReturnType<typeof newOrganization>>;
let app: TestApp;
let ada: Admin;

beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
});
afterAll(() => app.close());

const pathOf = ({ user }: Admin) => `/api/organizations/${user.orgId}/logo`;
const upload = (who: Admin, content: Uint8Array, name?: string, type?: string) =>
  who.send('POST', pathOf(who), fileForm(Uint8Array.from(content), name, type));
const logoOf = async (who: Admin) =>
  (await who.call(readOrganization, { params: { orgId: who.user.orgId ?? '' } })).logoUrl;

/** Fetches a logo without a session. */
async function fetchLogo(url: string | null) {
  const reply = await app.http.inject({ method: 'GET', url: url ?? '/logos/none' });
  return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload };
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c2410c' } });
const svg = (inside: string, more = '') =>
  Buffer.from(
    `<?xml version="1.0"?>${more}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="20">${inside}<rect width="20" height="20" fill="#c2410c"/></svg>`,
  );

describe('PNG, JPEG, WebP, SVG', () => {
  const kinds: [string, () => Promise<Buffer>, string][] = [
    ['PNG', () => picture(900, 300).png().toBuffer(), 'image/png'],
    ['JPEG', () => picture(900, 300).jpeg().toBuffer(), 'image/jpeg'],
    ['WebP', () => picture(900, 300).webp().toBuffer(), 'image/webp'],
    ['SVG', async () => svg(''), 'image/svg+xml'],
  ];

  test.each(kinds)(
    'a %s becomes a PNG of at most 512 pixels, served without a session',
    async (_, make, type) => {
      const reply = await upload(ada, await make(), 'logo', type);
      expect(reply.status).toBe(200);
      const url = await logoOf(ada);
      expect(reply.body).toMatchObject({ logoUrl: url, name: expect.any(String), plan: 'starter' });
      const { status, headers, bytes } = await fetchLogo(url);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
      });
      expect(headers['set-cookie']).toBe(undefined);
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 512 });
    },
  );
});

test('metadata is removed from an image, and its orientation applied', async () => {
  const exif = { IFD0: { Copyright: 'Ada’s camera', Orientation: '6' } };
  const jpeg = await picture(40, 20).withExif(exif).jpeg().toBuffer();
  expect(jpeg.includes('camera')).toBe(true);
  await upload(ada, jpeg);
  const { bytes } = await fetchLogo(await logoOf(ada));
  const { exif: kept, xmp, icc } = await sharp(bytes).metadata();
  expect([kept, xmp, icc, bytes.includes('camera')]).toEqual([
    undefined,
    undefined,
    undefined,
    false,
  ]);
});

test('only the first frame of an animated image is kept', async () => {
  const frames = await Promise.all(
    ['#ff0000', '#0000ff'].map((background) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const moving = await sharp(frames, { join: { animated: true } })
    .webp({ loop: 0 })
    .toBuffer();
  expect((await sharp(moving).metadata()).pages).toBe(2);
  expect((await upload(ada, moving)).status).toBe(200);
  const { bytes } = await fetchLogo(await logoOf(ada));
  expect((await sharp(bytes).metadata()).pages).toBe(undefined);
});

test('a white logo on a transparent background gets a dark one, so that it is visible on white', async () => {
  const white = svg('').toString().replace('#c2410c', '#ffffff');
  await upload(ada, Buffer.from(white), 'logo.svg', 'image/svg+xml');
  const { data } = await sharp((await fetchLogo(await logoOf(ada))).bytes)
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([...data.subarray(0, 3)]).toEqual([0x17, 0x1b, 0x22]);
});

describe('attack 31:', () => {
  test('an SVG with a script, event handlers, and external URLs becomes pixels', async () => {
    const bad = svg(
      `<script>alert(1)</script><image xlink:href="file:///etc/passwd" width="9" height="9"/>
       <image href="http://127.0.0.1:9/x.png" onload="alert(2)" width="9" height="9"/>
       <foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="javascript:alert(3)"/></body></foreignObject>`,
    );
    expect((await upload(ada, bad, 'logo.svg', 'image/svg+xml')).status).toBe(200);
    const { bytes, headers } = await fetchLogo(await logoOf(ada));
    expect(headers['content-type']).toBe('image/png');
    for (const word of ['script', 'alert', 'passwd', '<svg'])
      expect(bytes.includes(word)).toBe(false);
  });

  const entities = [...'bcdefghij']
    .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'[at]};`.repeat(10)}">`)
    .join('');
  const laughs = `<!DOCTYPE svg [<!ENTITY a "ha ha ha ha ha ha ha">${entities}]>`;
  const refused: [string, () => Promise<Buffer> | Buffer, string][] = [
    [
      'a page that calls itself a picture',
      () => Buffer.from('<html><script>x</script></html>'),
      'image/png',
    ],
    [
      'a page with an SVG in it',
      () => Buffer.from('<html><svg xmlns="http://www.w3.org/2000/svg"/></html>'),
      'image/svg+xml',
    ],
    ['a GIF', () => picture(9, 9).gif().toBuffer(), 'image/png'],
    ['a TIFF', () => picture(9, 9).tiff().toBuffer(), 'image/png'],
    ['an AVIF', () => picture(9, 9).avif().toBuffer(), 'image/webp'],
    ['a program', () => Buffer.from('MZ\x90\0\x03\0\0\0'), 'image/png'],
    ['nothing', () => Buffer.alloc(0), 'image/png'],
    ['the beginning of a PNG', () => smallPng.subarray(0, 40), 'image/png'],
    ['a PNG of 100 million pixels', () => picture(10_000, 10_000).png().toBuffer(), 'image/png'],
    [
      'an SVG of 10 billion pixels',
      () =>
        Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>',
        ),
      'image/svg+xml',
    ],
    [
      'an SVG that unpacks to a billion laughs',
      () => svg('<text>&j;</text>', laughs),
      'image/svg+xml',
    ],
  ];

  test.each(refused)('%s is refused with 415, and the logo stays', async (_, make, type) => {
    const before = await logoOf(ada);
    const reply = await upload(ada, await make(), 'logo.png', type);
    expect(reply.status).toBe(415);
    expect(reply.body).toMatchObject({ message: expect.stringMatching(/\.$/) });
    expect(await logoOf(ada)).toBe(before);
  });

  test.each(['../../../etc/cron.d/x.png', 'a\\..\\b.png', '/etc/passwd', 'x.html', '..'])(
    'the file name %j is ignored',
    async (name) => {
      expect((await upload(ada, smallPng, name, 'text/html')).status).toBe(200);
      expect(await logoOf(ada)).toMatch(/^\/logos\/[0-9a-f-]{36}\.png$/);
    },
  );

  test.each(['../secret.key', '%2e%2e%2fsecret.key', 'x.png', '.png'])(
    'the path /logos/%s answers 404',
    async (name) => {
      expect((await fetchLogo(`/logos/${name}`)).status).toBe(404);
    },
  );
});

test('a file of more than 2 MB is refused with 413, and one of exactly 2 MB is accepted', async () => {
  const padded = (size: number) => Buffer.concat([smallPng, Buffer.alloc(size - smallPng.length)]);
  expect(await upload(ada, padded(logoMostBytes + 1))).toMatchObject({
    status: 413,
    body: {
      code: 'picture_too_large',
      message: 'This file is larger than 2 MB. Please choose a smaller one.',
    },
  });
  expect((await upload(ada, padded(logoMostBytes))).status).toBe(200);
});

test.each([
  ['JSON', { file: 'x' }, {}, 415],
  ['a form without a file', new FormData(), {}, 400],
  ['no body', undefined, {}, 415],
])('%s in place of a file is refused', async (_, body, headers, status) => {
  const reply = await ada.send('POST', pathOf(ada), body, headers);
  expect(reply.status).toBe(status);
});

test('endpoints that take JSON refuse a multipart body', async () => {
  const form = new FormData();
  form.set('topic', 'Taken');
  expect((await ada.send('POST', '/api/rooms', form)).status).toBe(415);
});

test('agents and viewers are refused with 403, another organization with 404, visitors with 401', async () => {
  const before = await logoOf(ada);
  for (const role of ['AGENT', 'VIEWER'] as const) {
    const member = await newMember(app, ada, role);
    expect((await upload(member, smallPng)).status).toBe(403);
    expect((await member.send('DELETE', pathOf(ada))).status).toBe(403);
  }
  const ben = await newOrganization(app);
  expect((await ben.send('POST', pathOf(ada), fileForm(smallPng))).status).toBe(404);
  expect((await ben.send('DELETE', pathOf(ada))).status).toBe(404);
  expect((await new Visitor(app).send('POST', pathOf(ada), fileForm(smallPng))).status).toBe(401);
  expect(await logoOf(ada)).toBe(before);
});

describe('the previous logo', () => {
  let carl: Admin;
  const stored = () =>
    readdirSync(join(app.filesFolder, carl.user.orgId ?? ''))
      .filter(Boolean)
      .sort();
  const rows = async () =>
    (await app.owner.query('select id from files where org_id = $1', [carl.user.orgId])).rows;
  beforeAll(async () => {
    carl = await newOrganization(app);
  });

  test('is deleted when another replaces it, and its URL answers 404', async () => {
    await upload(carl, smallPng);
    const first = await logoOf(carl);
    await upload(carl, svg(''));
    const second = await logoOf(carl);
    expect(second).not.toBe(first);
    expect((await fetchLogo(first)).status).toBe(404);
    expect((await fetchLogo(second)).status).toBe(200);
    expect([stored().length, (await rows()).length]).toEqual([1, 1]);
  });

  test('is deleted when it is removed; removing again changes nothing', async () => {
    const url = await logoOf(carl);
    expect(await carl.send('DELETE', pathOf(carl))).toMatchObject({
      status: 200,
      body: { logoUrl: null },
    });
    expect((await carl.send('DELETE', pathOf(carl))).status).toBe(200);
    expect((await fetchLogo(url)).status).toBe(404);
    expect([stored(), await rows()]).toEqual([[], []]);
  });

  test('is deleted by the nightly job if its deletion was interrupted', async () => {
    await upload(carl, smallPng);
    await app.owner.query('update organizations set logo_file_id = null where id = $1', [
      carl.user.orgId,
    ]);
    expect(stored().length).toBe(1);
    await forgetLeftLogos(app.services);
    expect([stored(), await rows()]).toEqual([[], []]);
  });

  test('is deleted in six concurrent uploads, which leave only the logo that is shown', async () => {
    await Promise.all(Array.from({ length: 6 }, () => upload(carl, smallPng)));
    const url = await logoOf(carl);
    expect((await fetchLogo(url)).status).toBe(200);
    expect(stored().map((name) => `/logos/${name}.png`)).toEqual([url]);
  });
});

test('each change records an audit event that names the file, and nothing else', async () => {
  const dora = await newOrganization(app);
  await upload(dora, smallPng);
  await dora.send('DELETE', pathOf(dora));
  const { body } = await dora.send('GET', '/api/audit-events');
  expect(body).toMatchObject([
    { action: 'ORGANIZATION_LOGO_REMOVED', metadata: { fileId: null } },
    { action: 'ORGANIZATION_LOGO_UPDATED', metadata: { fileId: expect.any(String) } },
    { action: 'SIGNED_IN' },
    { action: 'ORGANIZATION_CREATED' },
  ]);
});

test('the database refuses another organization’s file as the logo', async () => {
  const eve = await newOrganization(app);
  await upload(eve, smallPng);
  await expect(
    app.owner.query(
      'update organizations set logo_file_id = (select logo_file_id from organizations where id = $1) where id = $2',
      [eve.user.orgId, ada.user.orgId],
    ),
  ).rejects.toThrow(/organizations_logo/);
});

test('guests get the logo’s URL with the link that they follow', async () => {
  await upload(ada, smallPng);
  const { room } = await runningCall(ada);
  const { url } = await ada.call(readGuestLink, { params: { id: room.id } });
  const token = url.split('/').at(-1) ?? '';
  const invitation = await new Visitor(app).call(readGuestInvitation, { params: { token } });
  expect(invitation.organization.logoUrl).toBe(await logoOf(ada));
});

test('invitations and password resets are mailed with name, logo, and color', async () => {
  await upload(ada, smallPng);
  const id = logoIdOf((await logoOf(ada))?.split('/').at(-1) ?? '');
  await ada.call(inviteUser, { body: { email: 'brand@example.com', role: 'AGENT' } });
  await ada.send('POST', '/api/forgot-password', { email: ada.user.email });
  const sent = async () => {
    await sendDueMails(app.services);
    return app.mails.map(({ to, html }) => [to, html.includes(`"cid:logo-${id}"`)]);
  };
  await expect.poll(sent).toEqual(
    expect.arrayContaining([
      ['brand@example.com', true],
      [ada.user.email, true],
    ]),
  );
});
