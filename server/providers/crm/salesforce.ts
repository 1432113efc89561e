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
import { ask } from './ask.ts';
import {
  type Access,
  type Contact,
  type Crm,
  CrmFailure,
  type CrmFetch,
  type Grant,
  unlessMissing,
} from './port.ts';

interface SalesforceApp {
  id: string;
  secret: string;
  loginUrl: string;
}

const apiPath = '/services/data/v62.0';
const scopes = 'api refresh_token openid';
/** Salesforce keeps 32,000 characters of a description. */
const mostDescription = 31_000;

const grant = z.object({
  access_token: z.string().min(1),
  /** Absent in the answer to a refresh, unless the tokens rotate. */
  refresh_token: z.string().min(1).optional(),
  instance_url: z.string(),
});
const userInfo = z.object({
  organization_id: z.string().min(1),
  preferred_username: z.string().nullish(),
  email: z.string().nullish(),
});
const found = z.object({ records: z.array(z.object({ Id: z.string().min(1) })) });
const created = z.object({ id: z.string().min(1), success: z.literal(true) });

/** Salesforce, by its REST API. Calls and action items are both Tasks. */
export function salesforce(app: SalesforceApp, fetch: CrmFetch): Crm {
  const client = { client_id: app.id, client_secret: app.secret };
  const token = async (form: Record<string, string>): Promise<Grant> => {
    const asked = { method: 'POST', form: { ...form, ...client } } as const;
    const answer = await ask(fetch, `${app.loginUrl}/services/oauth2/token`, asked, grant);
    return {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token ?? null,
      expiresInSeconds: null,
      apiBase: instanceOf(answer.instance_url, app.loginUrl),
    };
  };
  const tasks = (access: Access, id = '') =>
    `${access.base}${apiPath}/sobjects/Task${id && `/${encodeURIComponent(id)}`}`;
  const query = async (access: Access, soql: string) => {
    const url = `${access.base}${apiPath}/query?${new URLSearchParams({ q: soql })}`;
    return (await ask(fetch, url, { token: access.token }, found)).records.map(({ Id }) => Id);
  };

  return {
    vendor: 'salesforce',
    authorizationUrl: ({ state, redirectUri, challenge }) =>
      `${app.loginUrl}/services/oauth2/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: app.id,
        redirect_uri: redirectUri,
        scope: scopes,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      })}`,
    exchange: ({ code, redirectUri, verifier }) =>
      token({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }),
    refresh: (refreshToken) => token({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    revoke: async (refreshToken) => {
      const asked = { method: 'POST', form: { token: refreshToken } } as const;
      await ask(fetch, `${app.loginUrl}/services/oauth2/revoke`, asked, z.unknown()).catch(
        // Of a token that is not valid any more.
        (error: unknown) => {
          if (!(error instanceof CrmFailure && error.kind === 'rejected')) throw error;
        },
      );
    },
    account: async (access) => {
      const url = `${access.base}/services/oauth2/userinfo`;
      const info = await ask(fetch, url, { token: access.token }, userInfo);
      return {
        id: info.organization_id,
        name: info.preferred_username ?? info.email ?? info.organization_id,
      };
    },
    findContacts: async (access, email) => {
      const address = quoted(email);
      const contacts = await query(
        access,
        `SELECT Id FROM Contact WHERE Email = ${address} LIMIT 2`,
      );
      const leads = await query(
        access,
        `SELECT Id FROM Lead WHERE Email = ${address} AND IsConverted = false LIMIT 2`,
      );
      const as = (kind: Contact['kind']) => (id: string) => ({ kind, id });
      return [...contacts.map(as('contact')), ...leads.map(as('lead'))].slice(0, 2);
    },
    findCreated: async (access, contact, call) => {
      const named = `CallObject = ${quoted(call.id)} AND WhoId = ${quoted(contact.id)}`;
      return (await query(access, `SELECT Id FROM Task WHERE ${named} LIMIT 1`))[0] ?? null;
    },
    callFields,
    taskFields,
    create: async (access, _kind, contact, fields) => {
      const json = { ...fields, WhoId: contact.id };
      const asked = { method: 'POST', token: access.token, json } as const;
      return (await ask(fetch, tasks(access), asked, created)).id;
    },
    update: async (access, _kind, id, fields) => {
      // Salesforce sets it only once.
      const { TaskSubtype: _, ...json } = fields;
      const asked = { method: 'PATCH', token: access.token, json } as const;
      await ask(fetch, tasks(access, id), asked, z.unknown());
    },
    remove: async (access, _kind, id) => {
      const asked = { method: 'DELETE', token: access.token } as const;
      await ask(fetch, tasks(access, id), asked, z.unknown()).catch(unlessMissing);
    },
  };
}

/**
 * Returns the origin of an instance.
 * @throws CrmFailure for any host that is not Salesforce's: the tokens would be sent there
 */
function instanceOf(url: string, loginUrl: string): string {
  const target = URL.canParse(url) ? new URL(url) : null;
  const isOurs = target?.origin === new URL(loginUrl).origin;
  const isSalesforce =
    target?.protocol === 'https:' &&
    target.port === '' &&
    /^([a-z0-9-]+\.)+(salesforce|force)\.com$/.test(target.hostname);
  if (target && (isOurs || isSalesforce)) return target.origin;
  throw new CrmFailure('rejected', 'It named an address that isn’t Salesforce’s.');
}

/** A text in SOQL. */
const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, (found) => `\\${found}`)}'`;

const day = (at: Date) => at.toISOString().slice(0, 10);

const callFields = (call: LoggedCall, mapping: CrmMapping) => ({
  Subject: titleOf(call),
  Description: callText(call, mapping, mostDescription),
  Status: 'Completed',
  TaskSubtype: 'Call',
  ActivityDate: day(call.startedAt),
  // By which a call is found again whose creation was not answered.
  CallObject: call.id,
  ...(call.durationSec === null ? {} : { CallDurationInSeconds: call.durationSec }),
  ...propertiesOf(call, mapping),
});

const priorities = { high: 'High', medium: 'Normal', low: 'Low' } as const;
const taskFields = (item: LoggedItem, call: LoggedCall) => ({
  Subject: cut(item.title, 255),
  Description: [item.description, call.url].filter(Boolean).join('\n\n'),
  Status: item.isCompleted ? 'Completed' : 'Not Started',
  Priority: priorities[item.priority],
  ActivityDate: item.dueOn,
});
