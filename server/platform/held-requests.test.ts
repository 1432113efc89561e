import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, type Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await openTestApp();
  port = Number(new URL(await app.listen()).port);
});
afterAll(() => app.close());

/** Sends the head of a request and a part of its body. @returns how to send the rest, for its status */
async function hold(visitor: Visitor, path: string, body: object): Promise<() => Promise<number>> {
  const text = JSON.stringify(body);
  const headers = {
    cookie: visitor.cookie,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  };
  const held = request({ host: '127.0.0.1', port, path, method: 'POST', headers });
  const status = new Promise<number>((resolve, reject) => {
    held.once('response', (answer) => resolve(answer.resume().statusCode ?? 0));
    held.once('error', reject);
  });
  await new Promise<void>((sent) => held.write(text.slice(0, 5), () => sent()));
  return () => {
    held.end(text.slice(5));
    return status;
  };
}

const playbook = { title: 'Held', checklistItems: [{ text: 'Greet' }] };
/** The server has read the head: it looks the session up before it reads a long body. */
const isRead = (visitor: Visitor & { user: { id: string } }) =>
  expect
    .poll(async () => {
      const { rows } = await app.owner.query(
        'select last_seen_at > created_at as seen from sessions where account_id = $1',
        [visitor.user.id],
      );
      return rows[0]?.seen;
    })
    .toBe(true);

/** So that the next look-up notes that the session was used. */
const forgetSeen = (visitor: { user: { id: string } }) =>
  app.owner.query(
    `update sessions set created_at = now() - interval '1 hour',
      last_seen_at = now() - interval '1 hour' where account_id = $1`,
    [visitor.user.id],
  );

test('a request whose body arrives after the removal of its sender writes nothing', async () => {
  const admin = await newOrganization(app);
  const second = await newMember(app, admin, 'ORGADMIN');
  await forgetSeen(second);
  const finish = await hold(second, '/api/playbooks', playbook);
  await isRead(second);
  expect(await admin.send('DELETE', `/api/users/${second.user.id}`)).toMatchObject({ status: 204 });
  expect(await finish()).toBe(401);
  expect(await admin.send('GET', '/api/playbooks')).toMatchObject({ body: [] });
});

test('a request whose body arrives after a demotion is judged by the new role', async () => {
  const admin = await newOrganization(app);
  const agent = await newMember(app, admin, 'AGENT');
  await forgetSeen(agent);
  const finish = await hold(agent, '/api/playbooks', playbook);
  await isRead(agent);
  const role = { role: 'VIEWER' };
  await admin.send('PUT', `/api/users/${agent.user.id}/role`, role);
  expect(await finish()).toBe(403);
});
