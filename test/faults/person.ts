/** A person with a session who sends JSON to a running program. */
export interface Person {
  cookie: string;
  send(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }>;
}

export const newcomer = {
  email: 'ada@example.com',
  password: 'correct horse',
  firstName: 'Ada',
  lastName: 'Lovelace',
};

/** Registers, or signs in if the account exists. */
export async function person(url: string): Promise<Person> {
  let cookie = '';
  const send: Person['send'] = async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const set = answer.headers.getSetCookie().find((one) => one.startsWith('rapport_session'));
    if (set) cookie = set.split(';')[0] ?? '';
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : null };
  };
  const registered = await send('POST', '/api/register', newcomer);
  if (registered.status === 409) await send('POST', '/api/login', newcomer);
  return { cookie, send };
}

/** Signs in. @returns the body of the answer, which must be successful */
export function signInAs({ email, password }: typeof newcomer, url: string): Promise<unknown> {
  const answer = fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return ok(answer.then(async (it) => ({ status: it.status, body: await it.json() })));
}

/** Returns the body of a successful answer, in the shape that the caller expects. */
export async function ok<T>(answer: ReturnType<Person['send']>): Promise<T> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body as T; // the server's own tests check it against the contract
}

/** Starts a call in a room with a playbook of so many items. */
export async function runningCall({ send }: Person, items: number) {
  const checklistItems = Array.from({ length: items }, (_, n) => ({ text: `Item ${n}` }));
  const playbook = await ok<{ id: string; checklistItems: { id: string }[] }>(
    send('POST', '/api/playbooks', { title: 'Faults', checklistItems }),
  );
  const { id: roomId } = await ok<{ id: string }>(
    send('POST', '/api/rooms', { topic: 'Faults', playbookId: playbook.id }),
  );
  const { id } = await ok<{ id: string }>(send('POST', '/api/calls', { roomId }));
  return { id, roomId, items: playbook.checklistItems.map((item) => item.id) };
}

export interface StoredCall {
  notesSnapshot: string | null;
  npsScore: number | null;
  checklistStateJson: Record<string, boolean>;
}
