import type { Person } from './browser.ts';

/** A signed-in API client: fetch with the cookie of an account that was created for the test. */
export class ApiUser {
  readonly #url: string;
  #cookie = '';

  constructor(url: string) {
    this.#url = url;
  }

  /** @throws an error with the answer, unless it succeeded */
  async send<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T> {
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie: this.#cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const set = answer.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('rapport_session'));
    if (set) this.#cookie = set.split(';')[0] ?? '';
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return (text ? JSON.parse(text) : null) as T;
  }

  /** Gives a browser this account's session. */
  async signIn({ context }: Pick<Person, 'context'>): Promise<void> {
    const [name = '', value = ''] = this.#cookie.split('=');
    await context.addCookies([{ name, value, url: this.#url, httpOnly: true, sameSite: 'Lax' }]);
  }
}

export interface Prepared {
  user: ApiUser;
  roomId: string;
  guestUrl: string;
  items: { id: string; text: string }[];
}

/** Creates an account with a playbook of two items and a room, by requests. */
export async function prepareRoom(url: string, topic: string): Promise<Prepared> {
  const user = new ApiUser(url);
  await user.send('POST', '/api/register', {
    email: `${topic.toLowerCase().replaceAll(/\W+/g, '-')}@acme.example`,
    password: 'correct horse',
    firstName: 'Ada',
    lastName: 'Lovelace',
    orgName: 'Acme Success',
  });
  const playbook = await user.send<{ id: string; checklistItems: Prepared['items'] }>(
    'POST',
    '/api/playbooks',
    { title: 'Onboarding', checklistItems: [{ text: 'Greet' }, { text: 'Agree on goals' }] },
  );
  const { id } = await user.send<{ id: string }>('POST', '/api/rooms', {
    topic,
    playbookId: playbook.id,
  });
  const link = await user.send<{ url: string }>('GET', `/api/rooms/${id}/guest-link`);
  return { user, roomId: id, guestUrl: link.url, items: playbook.checklistItems };
}

/** Returns the address of the room's meeting page without the app around it, for the room's creator. */
export async function hostUrl({ user, roomId }: Prepared): Promise<string> {
  const { dailyUrl, meetingToken } = await user.send<{ dailyUrl: string; meetingToken: string }>(
    'GET',
    `/api/rooms/${roomId}`,
  );
  return `${dailyUrl}?t=${meetingToken}`;
}
