import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { escapeHtml } from '#domain/escape-html.ts';

export interface CrmReply {
  status: number;
  /** JSON; a string is sent as HTML. */
  body?: unknown;
  headers?: Record<string, string>;
}
export interface CrmRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  token: string | null;
  type: string;
  text: string;
}

/** A stored object of the CRM. */
export interface CrmObject {
  id: string;
  kind: string;
  fields: Record<string, unknown>;
  /** Ids of contacts, with the type of the association. */
  contacts: { id: string; type: number | string }[];
}

/**
 * A CRM on this machine: OAuth 2.0 with tokens that expire and are used once, and stored objects. It validates every
 * request, and keeps what it refused in `refused`. It cannot show that the real service answers like this.
 */
export abstract class CrmStandIn {
  readonly clientId = 'rapport-app';
  readonly clientSecret = `secret-${randomUUID()}`;
  readonly asked: CrmRequest[] = [];
  readonly refused: string[] = [];
  readonly objects = new Map<string, CrmObject>();
  /** Replies for the next requests to the API, not to the token endpoint. 'lost': done, but the answer is not sent. */
  readonly next: (CrmReply | 'lost')[] = [];
  /** Requests to the API wait for it. */
  gate: Promise<unknown> = Promise.resolve();
  /** Answers with new tokens wait for it. */
  tokenGate: Promise<unknown> = Promise.resolve();
  /** Access tokens work on after their refresh token was revoked. */
  keepsAccess = false;
  url = '';
  refreshes = 0;
  #codes = new Map<string, { redirectUri: string; challenge: string | null }>();
  #access = new Set<string>();
  #refresh = new Set<string>();
  #count = 100;
  readonly #server = createServer((request, response) => {
    this.#hear(request, response).catch((error) => response.destroy(error));
  });

  /** Where people allow the access, and the parameters that must have these values. */
  protected abstract readonly consent: { path: string; parameters: Record<string, RegExp> };
  abstract answer(request: CrmRequest): CrmReply;
  abstract get settings(): Record<string, string>;
  /** Returns the form of a token request as the vendor wants it. */
  abstract tokenAnswer(access: string, refresh: string, isNew: boolean): Record<string, unknown>;

  async open(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** What a person does who allows the access: returns the code and state of the redirect. */
  allow(authorizationUrl: string): { code: string; state: string; redirectUri: string } {
    const { pathname, searchParams } = new URL(authorizationUrl);
    if (searchParams.get('client_id') !== this.clientId) throw new Error('another app');
    const { path, parameters } = this.consent;
    const wrong = Object.entries({ ...parameters, redirect_uri: /^http/, state: /./ }).find(
      ([name, form]) => !form.test(searchParams.get(name) ?? ''),
    );
    if (pathname !== path || wrong) throw new Error(`not a request for consent: ${wrong?.[0]}`);
    const redirectUri = searchParams.get('redirect_uri') ?? '';
    const code = randomUUID();
    this.#codes.set(code, { redirectUri, challenge: searchParams.get('code_challenge') });
    return { code, state: searchParams.get('state') ?? '', redirectUri };
  }

  /** The page on which a person allows the access, or does not. */
  #consentPage(url: string): CrmReply {
    const { code, state, redirectUri } = this.allow(url);
    const back = (answer: Record<string, string>) =>
      escapeHtml(`${redirectUri}?${new URLSearchParams({ ...answer, state })}`);
    const denied = { error: 'access_denied', error_description: 'end-user denied authorization' };
    return {
      status: 200,
      body: `<!doctype html><title>Connect</title><link rel="icon" href="data:,"><h1>Connect Rapport?</h1>
        <a href="${back({ code })}">Allow</a> <a href="${back(denied)}">Deny</a>`,
    };
  }

  expireAccess(): void {
    this.#access.clear();
  }

  revokeAll(): void {
    this.#access.clear();
    this.#refresh.clear();
  }

  get openRefreshTokens(): number {
    return this.#refresh.size;
  }

  revokeRefresh(token: string): boolean {
    if (!this.keepsAccess) this.#access.clear();
    return this.#refresh.delete(token);
  }

  of(kind: string): CrmObject[] {
    return [...this.objects.values()].filter((one) => one.kind === kind);
  }

  store(
    kind: string,
    fields: CrmObject['fields'],
    contacts: CrmObject['contacts'] = [],
  ): CrmObject {
    this.#count += 1;
    const made = { id: String(this.#count), kind, fields, contacts };
    this.objects.set(made.id, made);
    return made;
  }

  /** Answers a request of the token endpoint. */
  grant(form: URLSearchParams, challengeOf: (verifier: string) => string): CrmReply {
    const wrong = (error: string) => ({ status: 400, body: { error, error_description: error } });
    const isKnown =
      form.get('client_id') === this.clientId && form.get('client_secret') === this.clientSecret;
    if (!isKnown) return wrong('invalid_client');
    if (form.get('grant_type') === 'refresh_token') {
      this.refreshes += 1;
      const before = form.get('refresh_token') ?? '';
      // A token that was used is not accepted again.
      if (!this.#refresh.delete(before)) return wrong('invalid_grant');
      return this.#granted(false);
    }
    const code = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    const verifier = form.get('code_verifier');
    if (!code || code.redirectUri !== form.get('redirect_uri')) return wrong('invalid_grant');
    if (code.challenge !== (verifier === null ? null : challengeOf(verifier)))
      return wrong('invalid_grant');
    return this.#granted(true);
  }

  #granted(isNew: boolean): CrmReply {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.#access.add(access);
    this.#refresh.add(refresh);
    return { status: 200, body: this.tokenAnswer(access, refresh, isNew) };
  }

  accepts(token: string | null): boolean {
    return token !== null && this.#access.has(token);
  }

  protected refuse(request: CrmRequest, reason: string): CrmReply {
    this.refused.push(`${request.method} ${request.path}: ${reason}`);
    return { status: 400, body: { message: reason, category: 'VALIDATION_ERROR' } };
  }

  async #hear(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = incoming;
    const { pathname: path, searchParams: query } = new URL(url, this.url);
    let text = '';
    for await (const piece of incoming) text += piece;
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? null;
    const type = String(headers['content-type'] ?? '').split(';')[0] ?? '';
    const request = { method, path, query, token, type, text };
    const isApi = !path.includes('/oauth');
    if (isApi) {
      this.asked.push(request);
      await this.gate;
    }
    const planned = isApi ? this.next.shift() : undefined;
    const isConsent = method === 'GET' && path === this.consent.path;
    const answered = () =>
      isConsent ? this.#consentPage(`${this.url}${url}`) : this.answer(request);
    const reply = planned && planned !== 'lost' ? planned : answered();
    if (planned === 'lost') return void response.destroy();
    if (path.endsWith('/token')) await this.tokenGate;
    const { status, body, headers: more = {} } = reply;
    const isHtml = typeof body === 'string';
    response.writeHead(status, {
      'content-type': isHtml ? 'text/html' : 'application/json',
      ...more,
    });
    response.end(isHtml ? body : body === undefined ? undefined : JSON.stringify(body));
  }
}
