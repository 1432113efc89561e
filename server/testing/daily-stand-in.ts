import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { z } from 'zod';
import { DailyRecordings } from './daily-recordings.ts';
import * as reference from './daily-reference.ts';
import { checked, invalid, type Reply, type Room, refusal } from './daily-replies.ts';

interface Asked {
  method: string;
  path: string;
  body: unknown;
}
/** Of a token, as Rapport asks for it. */
interface TokenProperties extends Record<string, unknown> {
  user_id: string;
  is_owner: boolean;
}
/**
 * A stand-in for Daily on this machine: the part of its REST API that Rapport uses, which refuses
 * anything that its published reference does not allow, and a page that speaks the protocol which
 * daily-js (0.92) expects of an iframe. It cannot show that the real service follows its reference.
 */
export class DailyStandIn {
  readonly apiKey = randomUUID();
  readonly webhookSecret = randomBytes(32).toString('base64');
  readonly rooms = new Map<string, Room>();
  /** Every request to the API, in order. */
  readonly asked: Asked[] = [];
  /** The properties of each created token. */
  readonly tokens = new Map<string, { room_name?: string | undefined; exp?: number | undefined }>();
  /** Replies for the next requests instead of an answer: 'drop' closes the connection. */
  readonly next: (Reply | 'drop')[] = [];
  /** The requests of these names fail, for example 'stop'. */
  readonly failing = new Set<string>();
  readonly recordings = new DailyRecordings();
  readonly #server = createServer((request, response) => void this.#hear(request, response));
  url = '';

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('no address');
    this.url = `http://127.0.0.1:${address.port}`;
    return this;
  }

  /** The bodies of the requests to eject people, in order. */
  get ejections(): unknown[] {
    return this.asked.filter(({ path }) => path.endsWith('/eject')).map(({ body }) => body);
  }

  /** The properties of the tokens that were asked for, in order. */
  get tokensAsked(): TokenProperties[] {
    return this.asked
      .filter(({ path }) => path === '/meeting-tokens')
      .map(({ body }) => (body as { properties: TokenProperties }).properties);
  }

  /** The settings that make Rapport use this stand-in. */
  get settings() {
    return {
      VIDEO_PROVIDER: 'daily',
      DAILY_API_KEY: this.apiKey,
      DAILY_API_BASE: `${this.url}/v1`,
      DAILY_URL: this.url,
    };
  }

  /** The same, with Daily's recording. */
  get recordingSettings() {
    return {
      ...this.settings,
      DAILY_RECORDING: 'on',
      DAILY_WEBHOOK_SECRET: this.webhookSecret,
    };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    if (pathname.startsWith('/files/'))
      return this.recordings.serve(pathname, request.headers, response);
    if (!pathname.startsWith('/v1/')) return this.#page(pathname, searchParams, response);
    let text = '';
    for await (const piece of request) text += piece;
    const path = pathname.slice('/v1'.length);
    const body: unknown = text === '' ? undefined : parse(text);
    this.asked.push({ method: request.method ?? '', path, body });
    const planned = this.next.shift();
    if (planned === 'drop') return void response.destroy();
    const reply =
      planned ??
      this.#refuseStranger(request) ??
      (this.failing.has(path.split('/').at(-1) ?? '')
        ? refusal(500, 'internal-error', '')
        : this.recordings.answer(request.method ?? '', path, { body, searchParams, ...this })) ??
      this.#answer(request, path, body);
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify(reply.body));
  }

  /** Page "REST API": a missing header is 400, a wrong key 401. */
  #refuseStranger({ headers, method }: IncomingMessage): Reply | null {
    const [scheme, key] = (headers.authorization ?? '').split(' ');
    if (scheme !== 'Bearer') return refusal(400, 'authorization-header-error', '');
    if (key !== this.apiKey) return refusal(401, 'authentication-error', '');
    const json = headers['content-type']?.startsWith('application/json');
    return method === 'POST' && !json ? invalid('content-type is not application/json') : null;
  }

  #answer({ method }: IncomingMessage, path: string, body: unknown): Reply {
    const [, noun, name = '', verb] = path.split('/');
    const called = `${method} ${noun}${name && '/:name'}${verb ? `/${verb}` : ''}`;
    const room = this.rooms.get(name);
    if (name && !room) return refusal(404, 'not-found', `room ${name} does not exist`);
    switch (called) {
      case 'GET rooms/:name':
        return { status: 200, body: room };
      case 'POST rooms':
        return checked(reference.createRoom, body, (given) => this.#make(given));
      case 'POST rooms/:name':
        return checked(reference.updateRoom, body, (given) => ({
          status: 200,
          body: Object.assign(room ?? {}, given),
        }));
      case 'DELETE rooms/:name':
        this.rooms.delete(name);
        return { status: 200, body: { deleted: true, name } };
      case 'POST rooms/:name/eject':
        return checked(reference.eject, body, (given) => ({
          status: 200,
          body: { ejectedIds: given.user_ids ?? [] },
        }));
      case 'POST meeting-tokens':
        return checked(reference.createMeetingToken, body, ({ properties = {} }) => {
          const token = `${randomUUID()}.${randomUUID()}`;
          this.tokens.set(token, properties);
          return { status: 200, body: { token } };
        });
      default:
        return refusal(404, 'not-found', called);
    }
  }

  #make({
    name = randomUUID(),
    privacy,
    properties,
  }: z.output<typeof reference.createRoom>): Reply {
    if (this.rooms.has(name)) return invalid(`a room named ${name} already exists`);
    const room: Room = {
      id: randomUUID(),
      name,
      api_created: true,
      privacy,
      url: `${this.url}/${name}`,
      created_at: new Date().toISOString(),
      config: properties ?? {},
    };
    this.rooms.set(name, room);
    return { status: 200, body: room };
  }

  /** The room's page. It gets the state of its URL, and simulates the rest. */
  #page(pathname: string, query: URLSearchParams, response: ServerResponse): void {
    const room = this.rooms.get(pathname.slice(1));
    const token = this.tokens.get(query.get('t') ?? '');
    const state = !room
      ? 'no-room'
      : token?.room_name !== room.name
        ? 'not-allowed'
        : (token.exp ?? 0) * 1000 < Date.now()
          ? 'exp-token'
          : 'welcome';
    const page = readFileSync(join(import.meta.dirname, 'daily-page.html'), 'utf8');
    const given = JSON.stringify({ state, token: token ?? null });
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page.replace('>null<', () => `>${given.replaceAll('<', '\\u003c')}<`));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
