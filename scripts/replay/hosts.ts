import { freePort } from '#server/testing/free-port.ts';
import { discard, startProgram } from '../../e2e/support/program.ts';
import { type Finding, hold } from './finding.ts';
import { Person } from './person.ts';
import { password, type Scene } from './scene.ts';

const foreignHosts = [
  'evil.test',
  'evil.test:80/x"><b>@',
  'localhost.evil.test',
  'localhost:80@evil.test',
];

const misledMail: Finding = {
  id: 'H5',
  async attack(scene) {
    const env = { SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: '' };
    const started = await startProgram(env).then(discard, (error: Error) => error.message);
    hold(typeof started === 'string', 'it starts with SMTP_URL and without PUBLIC_URL');
    const ada = await scene.admin();
    const answers: number[] = [];
    for (const host of foreignHosts) answers.push(await resetBy(scene, ada.email, { host }));
    for (const host of foreignHosts) {
      answers.push(await resetBy(scene, ada.email, { 'x-forwarded-host': host }));
    }
    hold(
      answers.every((status) => status >= 400),
      `foreign hosts answer ${answers}`,
    );
    const byAddress = await resetBy(scene, ada.email, { host: '203.0.113.1' });
    await scene.sink.token(ada.email, 'reset-password');
    const texts = scene.sink.to(ada.email).map(({ text }) => text);
    const foreign = texts.filter((text) => /evil|203\.0\.113/.test(text));
    hold(foreign.length === 0, 'a mail holds the address of the request');
    const bare = await withoutPublicUrl();
    return `SMTP_URL without PUBLIC_URL does not start; foreign hosts answer ${[...new Set(answers)]}; an address as the host ${byAddress}, with PUBLIC_URL in the link; without mail and PUBLIC_URL foreign hosts answer ${bare}`;
  },
};

const resetBy = async (scene: Pick<Scene, 'url'>, email: string, headers: Record<string, string>) =>
  (await new Person(scene.url).send('POST', '/api/forgot-password', { email }, { headers })).status;

async function withoutPublicUrl(): Promise<string> {
  const program = await startProgram({ RATE_LIMIT_SCALE: '1' }, undefined, await freePort());
  try {
    const answers: number[] = [];
    for (const host of foreignHosts) {
      answers.push(await resetBy(program, 'nobody@example.com', { host }));
      answers.push(await resetBy(program, 'nobody@example.com', { 'x-forwarded-host': host }));
    }
    hold(
      answers.every((status, n) => n % 2 === 1 || status >= 400),
      `without PUBLIC_URL foreign hosts answer ${answers}`,
    );
    return [...new Set(answers.filter((_, n) => n % 2 === 0))].join();
  } finally {
    await discard(program);
  }
}

const plainCookies: Finding = {
  id: 'L1',
  async attack() {
    const program = await startProgram({ PUBLIC_URL: 'https://calls.example.com' });
    try {
      const visitor = new Person(program.url);
      const body = { email: 'a@example.com', password, firstName: 'A', lastName: 'B' };
      const { status, headers } = await visitor.send('POST', '/api/register', body);
      const set = [headers['set-cookie'] ?? []].flat();
      const plain = set.filter((line) => !/;\s*secure/i.test(line));
      hold(
        set.length > 0 && plain.length === 0,
        `${status}: ${plain.length} of ${set.length} cookies are not Secure`,
      );
      return `with an https PUBLIC_URL and no trusted proxy all ${set.length} cookies of a sign-in are Secure`;
    } finally {
      await discard(program);
    }
  },
};

const lockedOut: Finding = {
  id: 'L5',
  accepted: 'without the wait, guesses would be free; known devices and a reset still work',
  async attack(scene) {
    const owner = await scene.admin();
    const { email } = owner;
    for (let n = 0; n < 14; n += 1) {
      await scene.visitor().send('POST', '/api/login', { email, password: `wrong guess ${n}` });
    }
    const known = await owner.send('POST', '/api/login', { email, password });
    hold(known.status === 200, `the owner's known device answers ${known.status}`);
    const fresh = await scene.visitor().send('POST', '/api/login', { email, password });
    hold(
      fresh.status === 200,
      `14 wrong tries from elsewhere: a known device signs in (200), a new device of the owner answers ${fresh.status} for ${fresh.headers['retry-after']} s`,
    );
    return '14 wrong tries from elsewhere: known and new devices of the owner sign in';
  },
};

const ipv6: Finding = {
  id: 'L7',
  async attack(scene) {
    const ask = async (from: string) => {
      const visitor = scene.visitor(from);
      return (await visitor.send('POST', '/api/forgot-password', { email: 'n@example.com' }))
        .status;
    };
    const one: number[] = [];
    for (let n = 1; n <= 22; n += 1) one.push(await ask(`2001:db8:77:1::${n.toString(16)}`));
    hold(one.at(-1) === 429, `22 requests of one /64 answer ${one.at(-1)} at last`);
    const other = await ask('2001:db8:77:2::1');
    hold(other !== 429, 'another network is refused, too');
    const mapped: number[] = [];
    for (let n = 0; n < 22; n += 1)
      mapped.push(await ask(n % 2 ? '203.0.113.150' : '::ffff:203.0.113.150'));
    hold(mapped.at(-1) === 429, 'IPv4 and its mapped form count apart');
    return `addresses of one /64 share a limit (429 from request ${one.indexOf(429) + 1} on), another /64 answers ${other}, a mapped IPv4 address counts as IPv4. 10,000 keys were not tried`;
  },
};

const costlyPages: Finding = {
  id: 'L8',
  when: 'alone',
  async attack(scene) {
    const least = async (path: string, host?: (n: number) => string) => {
      const visitor = scene.visitor();
      const times: number[] = [];
      for (let n = 0; n < 60; n += 1) {
        const headers: Record<string, string> = host ? { host: host(n) } : {};
        times.push((await visitor.send('GET', path, undefined, { headers })).ms);
      }
      return Math.min(...times);
    };
    const own = await least('/features');
    const random = await least('/features', (n) => `h${n}${Date.now()}.example`);
    const api = await least('/api/openapi.json');
    hold(random <= own + 3, `a random Host costs ${random} ms, our own ${own} ms`);
    hold(api < 10, `/api/openapi.json takes ${api} ms`);
    return `the fastest of 60: a public page ${own} ms, with a random Host ${random} ms, /api/openapi.json ${api} ms`;
  },
};

export const hostFindings = [misledMail, plainCookies, lockedOut, ipv6, costlyPages];
