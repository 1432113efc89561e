import type { InjectOptions } from 'fastify';
import type { SignedInUser, User } from '#domain/auth/contract.ts';
import { login, register } from '#domain/auth/contract.ts';
import type { Role } from '#domain/auth/permissions.ts';
import { startCall } from '#domain/calls/contract.ts';
import type { BodyOf, Contract, OutputOf } from '#domain/contract.ts';
import { createPlaybook } from '#domain/playbooks/contract.ts';
import { createRoom, openRoom } from '#domain/rooms/contract.ts';
import type { TestApp } from './open-test-app.ts';

export interface Reply {
  status: number;
  /** The JSON of the answer, untyped: tests check its content. */
  body: unknown;
  headers: Record<string, unknown>;
}

/** A user's browser: keeps cookies and sends JSON, over HTTP. */
export class Visitor {
  readonly #app: TestApp;
  /** The session cookie. */
  cookie = '';
  /** The other cookies, by name. */
  readonly others = new Map<string, string>();

  constructor(app: TestApp) {
    this.#app = app;
  }

  async send(
    method: NonNullable<InjectOptions['method']>,
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const answer = await this.#app.http.inject({
      method,
      url,
      headers: { ...this.#cookies(), ...headers },
      ...(body === undefined ? {} : { payload: body as NonNullable<InjectOptions['payload']> }),
    });
    for (const { name, value } of answer.cookies) {
      if (name === 'rapport_session') this.cookie = value ? `${name}=${value}` : '';
      else if (value) this.others.set(name, value);
      else this.others.delete(name);
    }
    const json = answer.payload && /\bjson\b/.test(String(answer.headers['content-type']));
    return {
      status: answer.statusCode,
      body: json ? JSON.parse(answer.payload) : answer.payload,
      headers: answer.headers,
    };
  }

  #cookies(): { cookie?: string } {
    const others = [...this.others].map(([name, value]) => `${name}=${value}`);
    const all = [this.cookie, ...others].filter((cookie) => cookie !== '').join('; ');
    return all ? { cookie: all } : {};
  }

  /** Sends a request that must succeed, and returns its body as the contract types it. */
  async call<C extends Contract>(
    contract: C,
    given: { params?: Record<string, string>; body?: unknown; query?: string } = {},
  ): Promise<OutputOf<C>> {
    const path = contract.path.replace(/:(\w+)/g, (_, name) => given.params?.[name] ?? '');
    const reply = await this.send(contract.method, `${path}${given.query ?? ''}`, given.body);
    if (reply.status >= 300) {
      throw new Error(
        `${contract.method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`,
      );
    }
    return reply.body as OutputOf<C>; // the server under test has parsed it by the contract
  }
}

/** Number of people registered in each database, so that names do not depend on the order of test files. */
const people = new WeakMap<TestApp['owner'], number>();

/** Registers a new person with their own organization. */
export async function newOrganization(app: TestApp): Promise<Visitor & { user: SignedInUser }> {
  const count = (people.get(app.owner) ?? 0) + 1;
  people.set(app.owner, count);
  const visitor = new Visitor(app);
  const body: BodyOf<typeof register> = {
    email: `person-${count}@example.com`,
    password: 'correct horse',
    firstName: `First${count}`,
    lastName: `Last${count}`,
  };
  const made = await visitor.call(register, { body });
  // The address counts as verified.
  await app.owner.query('update accounts set email_verified_at = now() where id = $1', [made.id]);
  await app.owner.query('delete from mails where recipient = $1', [body.email]);
  return Object.assign(visitor, { user: { ...made, mustVerifyEmail: false } });
}

/** Adds a new person with a role to the organization of `of`, without an invitation. */
export async function newMember(
  app: TestApp,
  of: { user: User },
  role: Role,
): Promise<Visitor & { user: SignedInUser }> {
  const member = await newOrganization(app);
  await app.owner.query('update memberships set org_id = $1, role = $2 where account_id = $3', [
    of.user.orgId,
    role,
    member.user.id,
  ]);
  return Object.assign(member, { user: { ...member.user, role, orgId: of.user.orgId } });
}

/** Signs in again, for example after a membership and its sessions have ended. */
export const signInAgain = (visitor: Visitor & { user: User }) =>
  visitor.call(login, { body: { email: visitor.user.email, password: 'correct horse' } });

/** Creates a room with a playbook of two items, and starts a call in it. */
export async function runningCall(visitor: Visitor) {
  const playbook = await visitor.call(createPlaybook, {
    body: { title: 'Onboarding', checklistItems: [{ text: 'Greet' }, { text: 'Agree' }] },
  });
  const { id } = await visitor.call(createRoom, {
    body: { topic: 'Kick-off', playbookId: playbook.id },
  });
  const room = await visitor.call(openRoom, { params: { id } });
  const call = await visitor.call(startCall, { body: { roomId: id } });
  return { playbook, room, call };
}
