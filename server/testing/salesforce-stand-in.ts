import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type CrmReply, type CrmRequest, CrmStandIn } from './crm-stand-in.ts';

const day = z.iso.date();
const common = { Subject: z.string().min(1).max(255), Description: z.string().max(32_000) };
const call = z.strictObject({
  ...common,
  Status: z.literal('Completed'),
  ActivityDate: day,
  CallObject: z.uuid(),
  CallDurationInSeconds: z.int().optional(),
  Rapport_Score__c: z.number().nullable().optional(),
  Rapport_Summary__c: z.string().nullable().optional(),
});
const task = z.strictObject({
  ...common,
  Status: z.enum(['Not Started', 'Completed']),
  Priority: z.enum(['High', 'Normal', 'Low']),
  ActivityDate: day.nullable(),
});
const created = z.union([
  call.extend({ TaskSubtype: z.literal('Call'), WhoId: z.string() }),
  task.extend({ WhoId: z.string() }),
]);
const queries = [
  { kind: 'Contact', form: /^SELECT Id FROM Contact WHERE Email = '(.+)' LIMIT 2$/ },
  {
    kind: 'Lead',
    form: /^SELECT Id FROM Lead WHERE Email = '(.+)' AND IsConverted = false LIMIT 2$/,
  },
];
const createdCall =
  /^SELECT Id FROM Task WHERE CallObject = '([\w-]+)' AND WhoId = '(\w+)' LIMIT 1$/;

/** Salesforce: contacts, leads, and tasks by its REST API. */
export class SalesforceStandIn extends CrmStandIn {
  protected readonly consent = {
    path: '/services/oauth2/authorize',
    parameters: {
      response_type: /^code$/,
      scope: /^api refresh_token openid$/,
      code_challenge: /^.{43}$/,
      code_challenge_method: /^S256$/,
    },
  };
  /** Where the API is said to be. */
  instanceUrl: string | null = null;

  get settings() {
    return {
      SALESFORCE_CLIENT_ID: this.clientId,
      SALESFORCE_CLIENT_SECRET: this.clientSecret,
      SALESFORCE_LOGIN_URL: this.url,
    };
  }

  addContact = (email: string) => this.store('Contact', { Email: email });
  addLead = (email: string) => this.store('Lead', { Email: email, IsConverted: false });

  tokenAnswer = (access: string, refresh: string) => ({
    access_token: access,
    refresh_token: refresh,
    instance_url: this.instanceUrl ?? this.url,
    id: `${this.url}/id/00D/005`,
    token_type: 'Bearer',
  });

  answer(request: CrmRequest): CrmReply {
    const { method, path, token, text } = request;
    if (method === 'POST' && path === '/services/oauth2/token')
      return this.grant(new URLSearchParams(text), (verifier) =>
        createHash('sha256').update(verifier).digest('base64url'),
      );
    if (method === 'POST' && path === '/services/oauth2/revoke')
      return this.revokeRefresh(new URLSearchParams(text).get('token') ?? '')
        ? { status: 200 }
        : { status: 400, body: { error: 'invalid_token' } };
    if (!this.accepts(token))
      return {
        status: 401,
        body: [{ message: 'Session expired', errorCode: 'INVALID_SESSION_ID' }],
      };
    if (method === 'GET' && path === '/services/oauth2/userinfo')
      return {
        status: 200,
        body: { organization_id: '00D000000000001', preferred_username: 'ada@acme.example' },
      };
    if (method === 'GET' && path === '/services/data/v62.0/query') return this.#query(request);
    const task = /^\/services\/data\/v62\.0\/sobjects\/Task(?:\/(\w+))?$/.exec(path);
    return task ? this.#task(request, task[1]) : this.refuse(request, 'no such path');
  }

  #query(request: CrmRequest): CrmReply {
    const soql = request.query.get('q') ?? '';
    const [, callId, whoId] = createdCall.exec(soql) ?? [];
    const matches = callId
      ? this.of('Task').filter(
          ({ fields }) => fields.CallObject === callId && fields.WhoId === whoId,
        )
      : queries.flatMap(({ kind, form }) => {
          const [, email = null] = form.exec(soql) ?? [];
          const address = email?.replaceAll(/\\(.)/g, '$1').toLowerCase();
          return email === null
            ? []
            : this.of(kind).filter(({ fields }) => String(fields.Email).toLowerCase() === address);
        });
    if (!callId && !queries.some(({ form }) => form.test(soql))) return this.refuse(request, soql);
    const records = matches.map(({ id }) => ({ Id: id }));
    return { status: 200, body: { totalSize: records.length, done: true, records } };
  }

  #task(request: CrmRequest, id: string | undefined): CrmReply {
    const { method, text } = request;
    const found = id ? this.objects.get(id) : undefined;
    if (method === 'POST' && !id) {
      const { data, error } = created.safeParse(JSON.parse(text));
      if (!data) return this.refuse(request, error?.message ?? '');
      if (!this.objects.has(data.WhoId))
        return {
          status: 400,
          body: [{ message: 'entity is deleted', errorCode: 'ENTITY_IS_DELETED', fields: [] }],
        };
      const { id: made } = this.store('Task', { ...data });
      return { status: 201, body: { id: made, success: true, errors: [] } };
    }
    if (found?.kind !== 'Task')
      return { status: 404, body: [{ message: 'entity is deleted', errorCode: 'NOT_FOUND' }] };
    if (method === 'DELETE') this.objects.delete(found.id);
    else {
      const shape = found.fields.TaskSubtype ? call.partial() : task.partial();
      const change = shape.safeParse(JSON.parse(text));
      if (method !== 'PATCH' || !change.success) return this.refuse(request, 'not a change');
      Object.assign(found.fields, change.data);
    }
    return { status: 204 };
  }
}
