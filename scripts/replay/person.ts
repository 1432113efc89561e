import { request } from 'node:http';

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each attack says what it expects of an answer
  body: any;
  text: string;
  headers: Record<string, string | string[] | undefined>;
  ms: number;
}

interface Sent {
  headers?: Record<string, string>;
  /** Sent unchanged, instead of JSON. */
  raw?: string | Buffer;
}

let addresses = 0;
/** Returns an unused address, so that limits by address count each person separately. */
export const freshAddress = () => {
  addresses += 1;
  return `198.18.${addresses >> 8}.${addresses & 255}`;
};

const longestWaitMs = 60_000;

/** A person with a browser: keeps cookies, and has an address of their own. */
export class Person {
  readonly cookies = new Map<string, string>();
  readonly base: string;
  /** As the trusted proxy in front of the instance reports it. */
  address: string;
  email = '';
  // biome-ignore lint/suspicious/noExplicitAny: the account as the server answers it
  user: any = null;

  constructor(base: string, address = freshAddress()) {
    this.base = base;
    this.address = address;
  }

  async send(method: string, path: string, body?: unknown, sent: Sent = {}): Promise<Reply> {
    const payload = sent.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await exchange(this.base, method, path, payload, {
      'x-forwarded-for': this.address,
      ...(cookie ? { cookie } : {}),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...sent.headers,
    });
    this.#keep([reply.headers['set-cookie'] ?? []].flat());
    return reply;
  }

  /** Like `send`, for requests that must succeed. @throws an error with the answer */
  // biome-ignore lint/suspicious/noExplicitAny: each attack says what it expects of an answer
  async call(method: string, path: string, body?: unknown): Promise<any> {
    const reply = await this.send(method, path, body);
    if (reply.status < 300) return reply.body;
    throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text.slice(0, 200)}`);
  }

  #keep(set: string[]): void {
    for (const line of set) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line))
        this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

function exchange(
  base: string,
  method: string,
  path: string,
  payload: string | Buffer | undefined,
  headers: Record<string, string>,
): Promise<Reply> {
  const { hostname, port } = new URL(base);
  const began = performance.now();
  const length =
    payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, agent: false as const };
    const outgoing = request(
      { ...options, headers: { host: `${hostname}:${port}`, ...length, ...headers } },
      (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part) => parts.push(part));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const ms = Math.round(performance.now() - began);
          const text = Buffer.concat(parts).toString();
          const isJson = /\bjson\b/.test(incoming.headers['content-type'] ?? '') && text !== '';
          const body = isJson ? JSON.parse(text) : null;
          resolve({ status: incoming.statusCode ?? 0, body, text, headers: incoming.headers, ms });
        });
      },
    );
    outgoing.setTimeout(longestWaitMs, () => outgoing.destroy(new Error(`${path}: no answer`)));
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}
