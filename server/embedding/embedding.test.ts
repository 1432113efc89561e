import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEmbedding, updateEmbedding } from '#domain/embedding/contract.ts';
import { createRoom, readGuestLink, renewGuestLink } from '#domain/rooms/contract.ts';
import { buildApp } from '#server/app.ts';
import { emptyPages } from '#server/testing/built-pages.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';

const { pagesDir, remove } = emptyPages();
const shop = 'https://shop.example';
let app: TestApp;
let http: FastifyInstance;
beforeAll(async () => {
  app = await openTestApp();
  http = await buildApp(app.services, { pagesDir });
});
afterAll(async () => {
  await http.close();
  await app.close();
  remove();
});

type Person = Awaited<ReturnType<typeof newOrganization>>;
const list = (person: Person, origins: string[]) =>
  person.call(updateEmbedding, { body: { origins } });

async function guestPath(person: Person): Promise<string> {
  const { id } = await person.call(createRoom, { body: { topic: 'Kick-off' } });
  return new URL((await person.call(readGuestLink, { params: { id } })).url).pathname;
}

async function framesOf(url: string) {
  const { headers } = await http.inject({ url, headers: { accept: 'text/html' } });
  const rules = String(headers['content-security-policy']).split(';');
  return {
    ancestors: rules.find((rule) => rule.startsWith('frame-ancestors')),
    others: rules.filter((rule) => !rule.startsWith('frame-ancestors')).join(';'),
    legacy: headers['x-frame-options'],
  };
}
const ownAlone = { ancestors: "frame-ancestors 'self'", legacy: 'SAMEORIGIN' };

test('the guest page may be framed by the listed sites alone, and its other rules stay', async () => {
  const ada = await newOrganization(app);
  const path = await guestPath(ada);
  const before = await framesOf(path);
  expect(before).toMatchObject(ownAlone);
  await list(ada, ['http://localhost:5173', shop, 'https://www.example.com:8443']);
  expect(await framesOf(path)).toEqual({
    ancestors:
      "frame-ancestors 'self' http://localhost:5173 https://shop.example https://www.example.com:8443",
    others: before.others,
    legacy: undefined,
  });
  await list(ada, []);
  expect(await framesOf(path)).toEqual(before);
});

test('an ended link is still reported within the frame', async () => {
  const ada = await newOrganization(app);
  await list(ada, [shop]);
  const { id } = await ada.call(createRoom, { body: { topic: 'Kick-off' } });
  const { url } = await ada.call(readGuestLink, { params: { id } });
  await ada.call(renewGuestLink, { params: { id } });
  const { ancestors } = await framesOf(new URL(url).pathname);
  expect(ancestors).toBe(`frame-ancestors 'self' ${shop}`);
});

test('no other page may be framed: not the app, the call page, sign-in, or a forged link', async () => {
  const ada = await newOrganization(app);
  await list(ada, [shop]);
  const { id } = await ada.call(createRoom, { body: { topic: 'Kick-off' } });
  const paths = ['/', '/auth', '/app', `/app/rooms/${id}/call`, `/meet/${id}`, '/join/made-up'];
  for (const path of paths) expect([path, await framesOf(path)]).toMatchObject([path, ownAlone]);
});

test('an organization’s list applies only to its own guest pages', async () => {
  const [ada, eve] = [await newOrganization(app), await newOrganization(app)];
  await list(eve, ['https://evil.example']);
  expect(await framesOf(await guestPath(ada))).toMatchObject(ownAlone);
  expect(await ada.call(readEmbedding)).toEqual({ origins: [] });
});

test('the list is stored without duplicates, and each change is in the audit log', async () => {
  const ada = await newOrganization(app);
  const given = ['https://b.example', ' https://A.example/ ', 'https://b.example:443'];
  expect(await list(ada, given)).toEqual({ origins: ['https://a.example', 'https://b.example'] });
  await list(ada, given);
  await list(ada, ['https://b.example', shop]);
  const { rows } = await app.owner.query(
    `select entity, metadata from audit_events
     where org_id = $1 and action = 'EMBEDDING_UPDATED' order by id`,
    [ada.user.orgId],
  );
  expect(rows).toEqual([
    {
      entity: 'organization',
      metadata: { added: ['https://a.example', 'https://b.example'], removed: [] },
    },
    { entity: 'organization', metadata: { added: [shop], removed: ['https://a.example'] } },
  ]);
});

test('only complete https origins can be listed, at most 20, and by admins', async () => {
  const ada = await newOrganization(app);
  const put = (origins: unknown, person = ada) => person.send('PUT', '/api/embedding', { origins });
  const message = 'Enter each URL like https://www.example.com';
  const wrong = ['http://a.example', '*', 'https://*.a.example', 'https://a.example/x', "'self'"];
  for (const origin of [...wrong, 7, `https://a.example; script-src *`])
    expect(await put([shop, origin])).toMatchObject({ status: 400, body: { message } });
  const many = Array.from({ length: 21 }, (_, index) => `https://a${index}.example`);
  expect(await put(many)).toMatchObject({
    status: 400,
    body: { message: 'You can add at most 20 URLs' },
  });
  expect(await put([shop], await newMember(app, ada, 'AGENT'))).toMatchObject({ status: 403 });
  expect(await ada.call(readEmbedding)).toEqual({ origins: [] });
});
