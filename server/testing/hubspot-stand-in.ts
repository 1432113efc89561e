import { z } from 'zod';
import { type CrmReply, type CrmRequest, CrmStandIn } from './crm-stand-in.ts';

const search = z.strictObject({
  filterGroups: z
    .array(
      z.strictObject({
        filters: z
          .array(
            z.strictObject({
              propertyName: z.string(),
              operator: z.enum(['EQ', 'CONTAINS_TOKEN']),
              value: z.string(),
            }),
          )
          .min(1)
          .max(6),
      }),
    )
    .min(1)
    .max(5),
  properties: z.array(z.string()).optional(),
  limit: z.int().min(1).max(200).optional(),
});
const association = (type: number) =>
  z.strictObject({
    to: z.strictObject({ id: z.string() }),
    types: z.tuple([
      z.strictObject({
        associationCategory: z.literal('HUBSPOT_DEFINED'),
        associationTypeId: z.literal(type),
      }),
    ]),
  });
/** A time in UTC; HubSpot also takes milliseconds since 1970, and searches by them. */
const time = z.iso.datetime();
const own = { rapport_score: z.string().optional(), rapport_summary: z.string().optional() };
const shapes = {
  calls: z.strictObject({
    hs_timestamp: time,
    hs_call_title: z.string().max(255),
    hs_call_body: z.string().max(65_536),
    hs_call_status: z.literal('COMPLETED'),
    hs_call_duration: z.string().regex(/^\d+$/).optional(),
    ...own,
  }),
  tasks: z.strictObject({
    hs_timestamp: time,
    hs_task_subject: z.string().min(1).max(255),
    hs_task_body: z.string(),
    hs_task_status: z.enum(['NOT_STARTED', 'COMPLETED']),
    hs_task_priority: z.enum(['HIGH', 'MEDIUM', 'LOW']),
    hs_task_type: z.literal('TODO'),
  }),
};
const associationTypes = { calls: 194, tasks: 204 } as const;

/** HubSpot: contacts, calls, and tasks by version 3 of its CRM API. */
export class HubspotStandIn extends CrmStandIn {
  protected readonly consent = {
    path: '/oauth/authorize',
    parameters: { scope: /^oauth crm\.objects\.contacts\.read crm\.objects\.contacts\.write$/ },
  };

  get settings() {
    return {
      HUBSPOT_CLIENT_ID: this.clientId,
      HUBSPOT_CLIENT_SECRET: this.clientSecret,
      HUBSPOT_API_BASE: this.url,
      HUBSPOT_APP_URL: this.url,
    };
  }

  addContact = (email: string, more: Record<string, string> = {}) =>
    this.store('contacts', { email, ...more });

  tokenAnswer = (access: string, refresh: string) => ({
    access_token: access,
    refresh_token: refresh,
    expires_in: 1800,
    token_type: 'bearer',
  });

  answer(request: CrmRequest): CrmReply {
    const { method, path, token } = request;
    if (method === 'POST' && path === '/oauth/v1/token') {
      if (request.type !== 'application/x-www-form-urlencoded') return this.refuse(request, 'form');
      return this.grant(new URLSearchParams(request.text), () => 'no PKCE');
    }
    const [, access] = /^\/oauth\/v1\/access-tokens\/([^/]+)$/.exec(path) ?? [];
    if (method === 'GET' && access) {
      if (!this.accepts(access)) return { status: 404, body: { message: 'no such token' } };
      return {
        status: 200,
        body: { hub_id: 4711, hub_domain: 'acme.example', user: 'ada@acme.example', user_id: 1 },
      };
    }
    const [, refresh] = /^\/oauth\/v1\/refresh-tokens\/([^/]+)$/.exec(path) ?? [];
    if (method === 'DELETE' && refresh)
      return this.revokeRefresh(refresh) ? { status: 204 } : { status: 404, body: { message: '' } };
    if (!this.accepts(token))
      return { status: 401, body: { message: 'expired', category: 'EXPIRED_AUTHENTICATION' } };
    return this.#api(request);
  }

  #api(request: CrmRequest): CrmReply {
    const { method, path, text } = request;
    const [, kind, id] =
      /^\/crm\/v3\/objects\/(contacts|calls|tasks)(?:\/(\w+))?$/.exec(path) ?? [];
    if (!kind) return this.refuse(request, 'no such path');
    if (method === 'POST' && id === 'search') return this.#search(request, kind);
    if (kind === 'contacts') return this.refuse(request, 'contacts are only read');
    const of = kind as 'calls' | 'tasks';
    const found = id ? this.objects.get(id) : undefined;
    if (method === 'POST' && !id) {
      const body = z
        .strictObject({
          properties: shapes[of],
          associations: z.array(association(associationTypes[of])).length(1),
        })
        .safeParse(JSON.parse(text));
      if (!body.success) return this.refuse(request, body.error.message);
      const contacts = body.data.associations.map(({ to, types }) => ({
        id: to.id,
        type: types[0].associationTypeId,
      }));
      if (!contacts.every((one) => this.objects.get(one.id)?.kind === 'contacts'))
        return { status: 404, body: { message: 'no such contact', category: 'OBJECT_NOT_FOUND' } };
      return { status: 201, body: asBody(this.store(kind, body.data.properties, contacts)) };
    }
    if (!found || found.kind !== kind)
      return method === 'DELETE'
        ? { status: 204 }
        : { status: 404, body: { message: 'not found' } };
    if (method === 'DELETE') {
      this.objects.delete(found.id);
      return { status: 204 };
    }
    const change = z.strictObject({ properties: shapes[of].partial() }).safeParse(JSON.parse(text));
    if (method !== 'PATCH' || !change.success) return this.refuse(request, 'not a change');
    Object.assign(found.fields, change.data.properties);
    return { status: 200, body: asBody(found) };
  }

  #search(request: CrmRequest, kind: string): CrmReply {
    const { data } = search.safeParse(JSON.parse(request.text));
    if (!data) return this.refuse(request, 'not a search');
    const results = this.of(kind).filter((one) =>
      data.filterGroups.some(({ filters }) =>
        filters.every(({ propertyName, operator, value }) => {
          if (propertyName === 'associations.contact')
            return one.contacts.some(({ id }) => id === value);
          const field = String(one.fields[propertyName] ?? '');
          if (propertyName === 'hs_timestamp') return Date.parse(field) === Number(value);
          const text = field.toLowerCase();
          return operator === 'EQ'
            ? text === value.toLowerCase()
            : text.split(';').includes(value.toLowerCase());
        }),
      ),
    );
    return { status: 200, body: { total: results.length, results: results.map(asBody) } };
  }
}

const asBody = ({ id, fields }: { id: string; fields: Record<string, unknown> }) => ({
  id,
  properties: fields,
  createdAt: '2026-11-25T00:00:00Z',
  updatedAt: '2026-11-25T00:00:00Z',
  archived: false,
});
