import { vi } from 'vitest';

export interface Asked {
  method: string;
  path: string;
  body: unknown;
}

type Answer = Response | object | null;
/** Includes the text after the question mark. */
type Question = Asked & { query: string };
type Answers = Record<string, Answer | ((asked: Question) => Answer | Promise<Answer>)>;

/** A refusal in the server's format. */
export const refusal = (status: number, problem: object = {}) =>
  Response.json({ status, title: 'Refused', ...problem }, { status });

export const signedOut = () => refusal(401, { title: 'Unauthorized' });

/**
 * Answers `fetch` by method and path without its query (`'GET /api/rooms'`): an object with 200, a
 * Response unchanged, null with 204, and anything else with 404. Returns the requests.
 */
export function fakeServer(answers: Answers): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const [path = '', query = ''] = String(address).split('?');
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const question = { method: init.method ?? 'GET', path, body };
    asked.push(question);
    const found = answers[`${question.method} ${path}`];
    const answer = typeof found === 'function' ? await found({ ...question, query }) : found;
    if (answer === undefined) return refusal(404);
    if (answer === null) return new Response(null, { status: 204 });
    return answer instanceof Response ? answer.clone() : Response.json(answer);
  });
  return asked;
}
