import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSlackChannel, updateSlackChannel } from '#domain/slack/contract.ts';
import { createWebhook, updateWebhook } from '#domain/webhooks/contract.ts';
import { CrmStandIns } from '#server/testing/crm-stand-ins.ts';
import { connectTo } from '#server/testing/crm-things.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { organizationToken, program } from '#server/testing/token-things.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';

let app: TestApp;
const crms = new CrmStandIns();
beforeAll(async () => {
  await crms.open();
  app = await openTestApp({ ...crms.settings, PUBLIC_URL: 'https://calls.example.com' });
});
afterAll(async () => {
  await app.close();
  await crms.close();
});

type Admin = Awaited<ReturnType<typeof newOrganization>>;

/** Takes the security mails to a person, apart from those about their own account. */
async function mailsTo({ user }: Admin): Promise<string[]> {
  const { rows } = await app.owner.query(
    `delete from mails where recipient = $1 and kind = 'security'
        and subject ~ '(another address|andere Adresse)'
      returning body_text as text`,
    [user.email],
  );
  return rows.map(({ text }) => text);
}
const nameOf = ({ user }: Admin) => `${user.firstName} ${user.lastName}`;
const webhook = (url: string) => ({ body: { url, events: ['call.ended' as const] } });
const slackAt = (end: string) => `https://hooks.slack.com/services/T00000000/B00000000/${end}`;

test('R20: each new address of data is mailed to the other admins, with what, host, who, and when', async () => {
  const ada = await newOrganization(app);
  const grace = await newMember(app, ada, 'ORGADMIN');
  const agent = await newMember(app, ada, 'AGENT');
  const year = String(new Date().getUTCFullYear());
  const told = async (verb: string, what: RegExp) => {
    const mails = await mailsTo(grace);
    expect(mails).toEqual([expect.stringContaining(`${nameOf(ada)} ${verb} an address`)]);
    expect(mails[0]).toMatch(what);
    expect(mails[0]).toMatch(new RegExp(`\\n[^\\n]*${year} at [^\\n]*UTC\\n`));
    expect(mails[0]).not.toMatch(/secret|key=|T0000/);
  };

  const { id } = await ada.call(createWebhook, webhook('https://8.8.8.8:8443/secret?key=1'));
  await told('added', /^Webhook: 8\.8\.8\.8:8443$/m);
  const params = { id };
  await ada.call(updateWebhook, { params, body: { url: 'https://1.1.1.1/' } });
  await told('changed', /^Webhook: 1\.1\.1\.1$/m);
  const same = { url: 'https://1.1.1.1/', description: 'Theirs', isEnabled: false };
  await ada.call(updateWebhook, { params, body: same });
  expect(await mailsTo(grace)).toEqual([]);

  const channel = { name: '#success', secretAddress: slackAt('XXXXXXXXXXXXXXXXXXXXabcd') };
  const added = await ada.call(addSlackChannel, { body: channel });
  await told('added', /^Slack channel: hooks\.slack\.com$/m);
  const ofChannel = { id: added.id };
  const moved = { secretAddress: slackAt('XXXXXXXXXXXXXXXXXXXXefgh') };
  await ada.call(updateSlackChannel, { params: ofChannel, body: moved });
  await told('changed', /^Slack channel: hooks\.slack\.com$/m);
  await ada.call(updateSlackChannel, { params: ofChannel, body: { name: '#other' } });
  expect(await mailsTo(grace)).toEqual([]);

  await connectTo(ada, 'hubspot', crms.hubspot);
  await told('added', /^CRM: 127\.0\.0\.1:\d+$/m);
  await connectTo(ada, 'hubspot', crms.hubspot);
  expect([await mailsTo(grace), await mailsTo(ada), await mailsTo(agent)]).toEqual([[], [], []]);
});

test('R20: the mail about a new address is in the reader’s language', async () => {
  const ada = await newOrganization(app);
  const grace = await newMember(app, ada, 'ORGADMIN');
  await app.owner.query(`update accounts set language = 'de' where id = $1`, [grace.user.id]);
  await ada.call(createWebhook, webhook('https://8.8.8.8/'));
  const [mail] = await mailsTo(grace);
  expect(mail).toContain(`Hinzugefügt von ${nameOf(ada)}: eine Adresse`);
});

test('R20: an address that a token of the organization adds is mailed to all admins', async () => {
  const ada = await newOrganization(app);
  const { token } = await organizationToken(ada, ['webhooks:write']);
  const { body } = webhook('https://8.8.8.8/');
  expect((await program(app, token)('POST', createWebhook.path, body)).status).toBe(201);
  expect(await mailsTo(ada)).toEqual([
    expect.stringContaining('An admin or an API token added an address'),
  ]);
});

test('R20: many changes of an address send at most thirty mails to an admin', async () => {
  const ada = await newOrganization(app);
  const grace = await newMember(app, ada, 'ORGADMIN');
  const { id } = await ada.call(createWebhook, webhook('https://8.8.8.8/0'));
  for (let n = 1; n <= 35; n += 1)
    await ada.call(updateWebhook, { params: { id }, body: { url: `https://8.8.8.8/${n}` } });
  expect(await mailsTo(grace)).toHaveLength(30);
});

const losses: [string, (id: string) => Promise<unknown>, number][] = [
  [
    'is deleted once its reader is an admin no more',
    (id) => app.owner.query(`update memberships set role = 'AGENT' where account_id = $1`, [id]),
    0,
  ],
  [
    'is deleted once its reader has left',
    (id) => app.owner.query('delete from memberships where account_id = $1', [id]),
    0,
  ],
  [
    'stays if its reader is still an admin',
    (id) => app.owner.query('update memberships set role = role where account_id = $1', [id]),
    1,
  ],
];
test.each(losses)('a waiting mail to the other admins %s', async (_, lose, left) => {
  const ada = await newOrganization(app);
  const grace = await newMember(app, ada, 'ORGADMIN');
  await ada.call(createWebhook, webhook('https://8.8.8.8/'));
  await lose(grace.user.id);
  expect(await mailsTo(grace)).toHaveLength(left);
});
