import { z } from 'zod';
import {
  callText,
  cut,
  type LoggedCall,
  type LoggedItem,
  propertiesOf,
  titleOf,
} from '#domain/crm/call-text.ts';
import type { CrmMapping } from '#domain/crm/mapping.ts';
import { escapeHtml } from '#domain/escape-html.ts';
import { ask } from './ask.ts';
import {
  type Access,
  type Crm,
  type CrmFetch,
  type CrmFields,
  type Grant,
  unlessMissing,
} from './port.ts';

interface HubspotApp {
  id: string;
  secret: string;
  apiBase: string;
  appUrl: string;
}

/** The calls and tasks of contacts need no scopes of their own. */
const scopes = 'oauth crm.objects.contacts.read crm.objects.contacts.write';
/** HubSpot's own associations of a call and of a task with a contact. */
const associationTypes = { call: 194, task: 204 } as const;
const paths = { call: 'calls', task: 'tasks' } as const;
/** HubSpot keeps 65,536 characters, markup included. */
const mostBody = 60_000;

/** Tokens that end sooner are noticed by their refusal, and an absurd time is no time of the database. */
const withinADay = (seconds: number) => Math.min(Math.max(seconds, 120), 86_400);
const grant = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.number().transform(withinADay),
});
const tokenInfo = z.object({
  hub_id: z.number(),
  hub_domain: z.string().nullish(),
  user: z.string().nullish(),
});
const found = z.object({
  results: z.array(
    z.object({ id: z.string(), properties: z.record(z.string(), z.string().nullable()) }),
  ),
});
const created = z.object({ id: z.string().min(1) });

/** HubSpot, by its CRM API of version 3. */
export function hubspot(app: HubspotApp, fetch: CrmFetch): Crm {
  const client = { client_id: app.id, client_secret: app.secret };
  const token = async (form: Record<string, string>): Promise<Grant> => {
    const asked = { method: 'POST', form: { ...form, ...client } } as const;
    const answer = await ask(fetch, `${app.apiBase}/oauth/v1/token`, asked, grant);
    return {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token,
      expiresInSeconds: answer.expires_in,
      apiBase: app.apiBase,
    };
  };
  // What the operator configures counts, not what was stored.
  const objects = (path: string) => `${app.apiBase}/crm/v3/objects/${path}`;
  const search = (access: Access, path: string, json: object) =>
    ask(fetch, objects(`${path}/search`), { method: 'POST', token: access.token, json }, found);

  return {
    vendor: 'hubspot',
    // HubSpot documents no PKCE for apps with a secret (docs/decisions/0025-crm.md).
    authorizationUrl: ({ state, redirectUri }) =>
      `${app.appUrl}/oauth/authorize?${new URLSearchParams({
        client_id: app.id,
        redirect_uri: redirectUri,
        scope: scopes,
        state,
      })}`,
    exchange: ({ code, redirectUri }) =>
      token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
    refresh: (refreshToken) => token({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    revoke: async (refreshToken) => {
      const url = `${app.apiBase}/oauth/v1/refresh-tokens/${encodeURIComponent(refreshToken)}`;
      const asked = { method: 'DELETE', secrets: [refreshToken] } as const;
      await ask(fetch, url, asked, z.unknown()).catch(unlessMissing);
    },
    account: async (access) => {
      const url = `${app.apiBase}/oauth/v1/access-tokens/${encodeURIComponent(access.token)}`;
      const { hub_id, hub_domain, user } = await ask(
        fetch,
        url,
        { secrets: [access.token] },
        tokenInfo,
      );
      const name = [user, hub_domain && user ? `(${hub_domain})` : hub_domain].filter(Boolean);
      return { id: String(hub_id), name: name.join(' ') || String(hub_id) };
    },
    findContacts: async (access, email) => {
      const { results } = await search(access, 'contacts', {
        filterGroups: [
          { filters: [{ propertyName: 'email', operator: 'EQ', value: email }] },
          {
            filters: [
              { propertyName: 'hs_additional_emails', operator: 'CONTAINS_TOKEN', value: email },
            ],
          },
        ],
        properties: ['email', 'hs_additional_emails'],
        limit: 10,
      });
      const hasAddress = ({ properties }: (typeof results)[number]) =>
        [properties.email, ...(properties.hs_additional_emails?.split(';') ?? [])].some(
          (one) => one?.trim().toLowerCase() === email.toLowerCase(),
        );
      return results
        .filter(hasAddress)
        .slice(0, 2)
        .map(({ id }) => ({ kind: 'contact', id }));
    },
    findCreated: async (access, contact, call) => {
      const { results } = await search(access, 'calls', {
        filterGroups: [
          {
            filters: [
              { propertyName: 'associations.contact', operator: 'EQ', value: contact.id },
              {
                propertyName: 'hs_timestamp',
                operator: 'EQ',
                value: String(call.startedAt.getTime()),
              },
            ],
          },
        ],
        properties: ['hs_call_body'],
        limit: 10,
      });
      return (
        results.find(({ properties }) => properties.hs_call_body?.includes(asHtml(call.url)))?.id ??
        null
      );
    },
    callFields,
    taskFields,
    create: async (access, kind, contact, fields) => {
      const type = {
        associationCategory: 'HUBSPOT_DEFINED',
        associationTypeId: associationTypes[kind],
      };
      const json = {
        properties: texts(fields),
        associations: [{ to: { id: contact.id }, types: [type] }],
      };
      const asked = { method: 'POST', token: access.token, json } as const;
      return (await ask(fetch, objects(paths[kind]), asked, created)).id;
    },
    update: async (access, kind, id, fields) => {
      const json = { properties: texts(fields) };
      const url = objects(`${paths[kind]}/${encodeURIComponent(id)}`);
      await ask(fetch, url, { method: 'PATCH', token: access.token, json }, created);
    },
    remove: async (access, kind, id) => {
      const url = objects(`${paths[kind]}/${encodeURIComponent(id)}`);
      const asked = { method: 'DELETE', token: access.token } as const;
      await ask(fetch, url, asked, z.unknown()).catch(unlessMissing);
    },
  };
}

const callFields = (call: LoggedCall, mapping: CrmMapping) => ({
  hs_timestamp: call.startedAt.toISOString(),
  hs_call_title: titleOf(call),
  hs_call_body: bodyOf(callText(call, mapping, mostBody / 2)),
  hs_call_status: 'COMPLETED',
  ...(call.durationSec === null ? {} : { hs_call_duration: String(call.durationSec * 1000) }),
  ...withoutMarkup(propertiesOf(call, mapping)),
});

const taskFields = (item: LoggedItem, call: LoggedCall) => ({
  // When it is due; HubSpot requires one.
  hs_timestamp: new Date(
    item.dueOn ? Date.parse(item.dueOn) : call.startedAt.getTime() + dayMs,
  ).toISOString(),
  hs_task_subject: cut(item.title, 255),
  hs_task_body: asHtml([item.description, call.url].filter(Boolean).join('\n\n')),
  hs_task_status: item.isCompleted ? 'COMPLETED' : 'NOT_STARTED',
  hs_task_priority: item.priority.toUpperCase(),
  hs_task_type: 'TODO',
});
const dayMs = 86_400_000;

/** HubSpot shows a call's text as HTML. */
const asHtml = (text: string) => escapeHtml(text).replaceAll(/\r?\n/g, '<br>');

/** The admin’s property may be one of plain or of rich text, so what HubSpot would read as a tag is taken apart. */
const withoutMarkup = (fields: CrmFields): CrmFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(/<(?=[a-z/!?])/gi, '< ') : value,
    ]),
  );

/** Markup may be longer than its text. */
function bodyOf(text: string): string {
  const html = asHtml(text);
  return html.length <= mostBody ? html : asHtml(cut(text, mostBody / 6));
}

const texts = (fields: Record<string, string | number | null>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value ?? '')]));
