import { Client } from '@hubspot/api-client';
import { FilterOperatorEnum } from '@hubspot/api-client/lib/codegen/crm/contacts/index.js';
import { AssociationSpecAssociationCategoryEnum } from '@hubspot/api-client/lib/codegen/crm/objects/calls/index.js';
import jsforce from 'jsforce';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LoggedCall, LoggedItem } from '#domain/crm/call-text.ts';
import { defaultMapping } from '#domain/crm/mapping.ts';
import { safeFetchFor } from '#server/platform/safe-fetch.ts';
import type { CrmStandIn } from '#server/testing/crm-stand-in.ts';
import { HubspotStandIn } from '#server/testing/hubspot-stand-in.ts';
import { SalesforceStandIn } from '#server/testing/salesforce-stand-in.ts';
import { hubspot } from './hubspot.ts';
import type { Access, Crm } from './port.ts';
import { salesforce } from './salesforce.ts';

/*
 * The vendors' own libraries make the requests of our adapters, and both must be the same: paths, methods, bodies.
 */

const redirectUri = 'https://rapport.example/app/settings/crm/x';
const email = "o'hara@customer.example";
const call: LoggedCall = {
  id: '019ab8a3-0000-7000-8000-000000000001',
  topic: 'Renewal',
  url: 'https://rapport.example/app/calls/019ab8a3-0000-7000-8000-000000000001',
  startedAt: new Date('2026-11-25T10:00:00Z'),
  durationSec: 61,
  notes: 'Two more seats',
  score: 9,
  scoreFeedback: null,
  summary: ['They renew.'],
};
const item: LoggedItem = {
  id: '019ab8a3-0000-7000-8000-000000000002',
  title: 'Send the offer',
  description: '',
  priority: 'high',
  dueOn: '2026-12-01',
  isCompleted: false,
};

const hub = new HubspotStandIn();
const force = new SalesforceStandIn();
const fetch = safeFetchFor('127.0.0.1');
beforeAll(() => Promise.all([hub.open(), force.open()]));
afterAll(() => Promise.all([hub.close(), force.close()]));
beforeEach(() => {
  for (const one of [hub, force]) one.asked.length = 0;
});

const authorized = (crm: Crm, standIn: CrmStandIn, challenge: string) =>
  standIn.allow(crm.authorizationUrl({ state: 's', redirectUri, challenge }));
/** Returns what was asked since the last time. */
const taken = (standIn: CrmStandIn) =>
  standIn.asked.splice(0).map(({ method, path, query, text }) => ({
    method,
    path,
    query: query.get('q'),
    body: text ? JSON.parse(text) : null,
  }));
/** What the adapter does for a call and an item. */
async function log(crm: Crm, access: Access, standIn: CrmStandIn) {
  const [contact] = await crm.findContacts(access, email);
  if (!contact) throw new Error('no contact');
  const fields = crm.callFields(call, defaultMapping);
  const id = await crm.create(access, 'call', contact, fields);
  await crm.update(access, 'call', id, fields);
  const task = await crm.create(access, 'task', contact, crm.taskFields(item, call));
  await crm.remove(access, 'task', task);
  await crm.remove(access, 'call', id);
  return { contact, fields, id, task, asked: taken(standIn) };
}
/** Ids differ between two runs. */
const withoutIds = (asked: ReturnType<typeof taken>, ...ids: string[]) =>
  JSON.parse(ids.reduce((text, id) => text.replaceAll(`/${id}"`, '/ID"'), JSON.stringify(asked)));

test('HubSpot’s library makes the same requests', async () => {
  const app = { id: hub.clientId, secret: hub.clientSecret, apiBase: hub.url, appUrl: hub.url };
  const crm = hubspot(app, fetch);
  const sdk = new Client({ basePath: hub.url, numberOfApiCallRetries: 0 });
  hub.addContact(email);
  const given = { state: 's', redirectUri, challenge: '' };
  const theirs = new URL(
    sdk.oauth.getAuthorizationUrl(
      app.id,
      redirectUri,
      'oauth crm.objects.contacts.read crm.objects.contacts.write',
      undefined,
      's',
    ),
  );
  expect(new URL(crm.authorizationUrl(given)).searchParams.toString()).toBe(
    new URLSearchParams([...theirs.searchParams].toSorted()).toString(),
  );
  const { code } = authorized(crm, hub, '');
  const first = await sdk.oauth.tokensApi.create(
    'authorization_code',
    code,
    redirectUri,
    app.id,
    app.secret,
  );
  const grant = await crm.refresh(first.refreshToken, hub.url);
  sdk.setAccessToken(grant.accessToken);
  const info = await sdk.oauth.accessTokensApi.get(grant.accessToken);
  const access = { token: grant.accessToken, base: grant.apiBase };
  expect(await crm.account(access)).toEqual({
    id: String(info.hubId),
    name: `${info.user} (${info.hubDomain})`,
  });

  const ours = await log(crm, access, hub);
  const category = AssociationSpecAssociationCategoryEnum.HubspotDefined;
  const [search] = ours.asked;
  await sdk.crm.contacts.searchApi.doSearch({
    ...search?.body,
    filterGroups: [
      { filters: [{ propertyName: 'email', operator: FilterOperatorEnum.Eq, value: email }] },
      {
        filters: [
          {
            propertyName: 'hs_additional_emails',
            operator: FilterOperatorEnum.ContainsToken,
            value: email,
          },
        ],
      },
    ],
  });
  const properties = ours.fields as Record<string, string>;
  const to = (associationTypeId: number) => [
    {
      to: { id: ours.contact.id },
      types: [{ associationCategory: category, associationTypeId }],
    },
  ];
  const made = await sdk.crm.objects.calls.basicApi.create({ properties, associations: to(194) });
  await sdk.crm.objects.calls.basicApi.update(made.id, { properties });
  const task = await sdk.crm.objects.tasks.basicApi.create({
    properties: crm.taskFields(item, call) as Record<string, string>,
    associations: to(204),
  });
  await sdk.crm.objects.tasks.basicApi.archive(task.id);
  await sdk.crm.objects.calls.basicApi.archive(made.id);
  expect(withoutIds(taken(hub), made.id, task.id)).toEqual(
    withoutIds(ours.asked, ours.id, ours.task),
  );
  await sdk.oauth.refreshTokensApi.archive(grant.refreshToken ?? '');
  expect(hub.openRefreshTokens).toBe(0);
  expect(hub.refused).toEqual([]);
});

test('Salesforce’s library makes the same requests', async () => {
  const app = { id: force.clientId, secret: force.clientSecret, loginUrl: force.url };
  const crm = salesforce(app, fetch);
  const oauth2 = new jsforce.OAuth2({
    loginUrl: force.url,
    clientId: app.id,
    clientSecret: app.secret,
    redirectUri,
    useVerifier: true,
  });
  force.addContact(email);
  const theirs = new URL(
    oauth2.getAuthorizationUrl({ scope: 'api refresh_token openid', state: 's' }),
  ).searchParams;
  const challenge = theirs.get('code_challenge') ?? '';
  const mine = new URL(crm.authorizationUrl({ state: 's', redirectUri, challenge })).searchParams;
  for (const name of [
    'response_type',
    'client_id',
    'redirect_uri',
    'scope',
    'state',
    'code_challenge',
  ])
    expect([name, mine.get(name)]).toEqual([name, theirs.get(name)]);
  const { code } = authorized(crm, force, challenge);
  const first = await oauth2.requestToken(code);
  const grant = await crm.refresh(first.refresh_token ?? '', force.url);
  const access = { token: grant.accessToken, base: grant.apiBase };
  const sdk = new jsforce.Connection({
    instanceUrl: force.url,
    accessToken: grant.accessToken,
    version: '62.0',
    oauth2,
  });
  expect(await crm.account(access)).toEqual({ id: '00D000000000001', name: 'ada@acme.example' });
  force.asked.length = 0;

  const ours = await log(crm, access, force);
  const quoted = email.replace("'", "\\'");
  await sdk.query(`SELECT Id FROM Contact WHERE Email = '${quoted}' LIMIT 2`);
  await sdk.query(`SELECT Id FROM Lead WHERE Email = '${quoted}' AND IsConverted = false LIMIT 2`);
  const made = await sdk.sobject('Task').create({ ...ours.fields, WhoId: ours.contact.id });
  const { TaskSubtype: _, ...changed } = ours.fields;
  await sdk.sobject('Task').update({ Id: made.id ?? '', ...changed });
  const fields = { ...crm.taskFields(item, call), WhoId: ours.contact.id };
  const task = await sdk.sobject('Task').create(fields);
  await sdk.sobject('Task').destroy(task.id ?? '');
  await sdk.sobject('Task').destroy(made.id ?? '');
  expect(withoutIds(taken(force), made.id ?? '', task.id ?? '')).toEqual(
    withoutIds(ours.asked, ours.id, ours.task),
  );
  await oauth2.revokeToken(grant.refreshToken ?? '');
  expect(force.openRefreshTokens).toBe(0);
  expect(force.refused).toEqual([]);
});
