import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { portraitMostBytes, removePortrait } from '#domain/profile/contract.ts';
import { listUsers, removeUser } from '#domain/team/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { fileForm } from '#server/testing/requests.ts';
import { newMember, newOrganization, signInAgain, Visitor } from '#server/testing/visitor.ts';
import { forgetLeftPortraits } from './jobs.ts';

type Person = Awaited<ReturnType<typeof newOrganization>>;
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c2410c' } });
const upload = (who: Visitor, content: Uint8Array, name = 'me.png', type = 'image/png') =>
  who.send('POST', '/api/user/picture', fileForm(Uint8Array.from(content), name, type));
const stored = ({ user }: Person) => {
  const folder = join(app.filesFolder, user.orgId ?? '');
  return readdirSync(folder).length;
};
const urlOf = async (who: Person) => {
  const { body } = await who.send('GET', '/api/user');
  return typeof body === 'object' && body !== null && 'profileImageUrl' in body
    ? String(body.profileImageUrl)
    : '';
};
async function fetchPortrait(who: Visitor, url: string) {
  const reply = await app.http.inject({ method: 'GET', url, headers: { cookie: who.cookie } });
  return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload };
}

test.each([
  ['PNG', () => picture(900, 300).png().toBuffer()],
  [
    'JPEG',
    () =>
      picture(300, 900)
        .jpeg()
        .withExif({ IFD0: { Artist: 'secret' } })
        .toBuffer(),
  ],
  ['WebP', () => picture(64, 64).webp().toBuffer()],
])(
  'a %s becomes a square of 256 pixels without metadata, visible to colleagues',
  async (_, make) => {
    const ada = await newOrganization(app);
    const agent = await newMember(app, ada, 'VIEWER');
    const reply = await upload(ada, await make());
    const url = await urlOf(ada);
    expect(reply).toMatchObject({ status: 200, body: { ...ada.user, profileImageUrl: url } });
    expect((await agent.call(listUsers)).map(({ profileImageUrl }) => profileImageUrl)).toContain(
      url,
    );
    const { status, headers, bytes } = await fetchPortrait(agent, url);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const drawn = await sharp(bytes).metadata();
    expect(drawn).toMatchObject({ format: 'webp', width: 256, height: 256 });
    expect(drawn.exif).toBe(undefined);
  },
);

test('SVG, false types, broken files and bombs are refused with 415, and files that are too large with 413', async () => {
  const ada = await newOrganization(app);
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  );
  expect(await upload(ada, svg, 'me.svg', 'image/svg+xml')).toMatchObject({
    status: 415,
    body: { code: 'not_a_photo' },
  });
  const html = Buffer.from('<script>alert(1)</script>');
  expect(await upload(ada, html, '../me.png')).toMatchObject({ status: 415 });
  const half = (await picture(400, 400).png().toBuffer()).subarray(0, 300);
  expect(await upload(ada, half)).toMatchObject({
    status: 415,
    body: { code: 'unreadable_picture' },
  });
  const bomb = await sharp({
    create: { width: 9000, height: 9000, channels: 3, background: '#fff' },
    limitInputPixels: false,
  })
    .png()
    .toBuffer();
  expect(await upload(ada, bomb)).toMatchObject({ status: 415 });
  const large = Buffer.alloc(portraitMostBytes + 1, '\x89PNG\r\n\x1a\n', 'latin1');
  expect(await upload(ada, large)).toMatchObject({ status: 413 });
  expect(await urlOf(ada)).toBe('null');
});

test('attack 31: a form without a boundary, or one that ends in the middle, gets 400', async () => {
  const ada = await newOrganization(app);
  const type = 'multipart/form-data';
  for (const [contentType, body] of [
    [type, ''],
    [type, 'x'],
    [`${type}; boundary=b`, ''],
    [
      `${type}; boundary=b`,
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
    ],
  ] as const) {
    const reply = await ada.send('POST', '/api/user/picture', body, {
      'content-type': contentType,
    });
    expect([contentType, body, reply.status]).toEqual([contentType, body, 400]);
    expect(reply.body).toMatchObject({ message: expect.any(String) });
  }
});

test('a portrait of another organization answers 404, and without a session 401', async () => {
  const ada = await newOrganization(app);
  await upload(ada, await picture(64, 64).png().toBuffer());
  const url = await urlOf(ada);
  const ben = await newOrganization(app);
  expect(await fetchPortrait(ben, url)).toMatchObject({ status: 404 });
  expect(await fetchPortrait(new Visitor(app), url)).toMatchObject({ status: 401 });
  expect(await fetchPortrait(ada, '/portraits/..%2f..%2fsecret.key')).toMatchObject({
    status: 404,
  });
});

test('a new portrait replaces the old one, and removing it deletes the file', async () => {
  const ada = await newOrganization(app);
  for (let turn = 0; turn < 2; turn += 1) await upload(ada, await picture(64, 64).png().toBuffer());
  expect(stored(ada)).toBe(1);
  expect(await ada.call(removePortrait)).toMatchObject({ profileImageUrl: null });
  expect(stored(ada)).toBe(0);
  const { rows } = await app.owner.query(
    "select action from audit_events where org_id = $1 and action like 'PORTRAIT%' order by id",
    [ada.user.orgId],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'PORTRAIT_UPDATED',
    'PORTRAIT_UPDATED',
    'PORTRAIT_REMOVED',
  ]);
});

test('leaving the organization removes the portrait, and the nightly job deletes its file', async () => {
  const ada = await newOrganization(app);
  const agent = await newMember(app, ada, 'AGENT');
  await upload(agent, await picture(64, 64).png().toBuffer());
  await ada.call(removeUser, { params: { id: agent.user.id } });
  await signInAgain(agent);
  expect(await urlOf(agent)).toBe('null');
  expect(stored(agent)).toBe(1);
  await forgetLeftPortraits(app.services);
  expect(stored(agent)).toBe(0);
  expect(await upload(agent, await picture(8, 8).png().toBuffer())).toMatchObject({ status: 403 });
});
