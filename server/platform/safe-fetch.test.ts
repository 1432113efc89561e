import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Resolve, safeFetchFor, targetCheckFor } from './safe-fetch.ts';

let server: Server;
let base: string;
let port: number;
let asked: string[] = [];
let tokens: (string | undefined)[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url}`);
    tokens.push(request.headers.authorization);
    if (request.url === '/to-metadata') {
      response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
    } else if (request.url === '/to-decimal') {
      response.writeHead(302, { location: `http://2130706433:${port}/secret` }).end();
    } else if (request.url === '/to-nowhere') {
      response.writeHead(302, { location: 'http://[::bad' }).end();
    } else if (request.url === '/round') response.writeHead(302, { location: '/round' }).end();
    else if (request.url === '/moved') response.writeHead(301, { location: '/there' }).end();
    else if (request.url === '/to-other-origin') {
      response.writeHead(302, { location: `http://[::ffff:127.0.0.1]:${port}/there` }).end();
    } else if (request.url === '/huge') response.end(Buffer.alloc(2_000_000));
    else if (request.url === '/never') request.resume();
    else response.end('here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  base = `http://127.0.0.1:${port}`;
});
beforeEach(() => {
  asked = [];
  tokens = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const refused = { status: 400, code: 'private_target' };
const everything = safeFetchFor(undefined);
const withLoopback = safeFetchFor('127.0.0.1');

describe('attack 34: an address inside the own network is refused, and nothing is sent', () => {
  test.each([
    'https://127.0.0.1/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://168.63.129.16/machine',
    'https://0.0.0.0/',
    'https://[::1]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://localhost/',
    'http://8.8.8.8/',
  ])('%s', async (url) => {
    await expect(everything(url)).rejects.toMatchObject(refused);
  });

  test('a loopback server receives nothing, in any notation of its address', async () => {
    for (const host of ['127.0.0.1', '2130706433', '0x7f000001', 'localhost', '[::ffff:127.0.0.1]'])
      await expect(everything(`http://${host}:${port}/`)).rejects.toMatchObject(refused);
    expect(asked).toEqual([]);
  });

  test('by redirect: the second address is checked like the first', async () => {
    await expect(withLoopback(`${base}/to-metadata`)).rejects.toMatchObject(refused);
    // Allowed addresses stay allowed in any notation.
    expect(await (await withLoopback(`${base}/to-decimal`)).text()).toBe('here');
  });

  test('by DNS: a name with a private address, alone or among public ones', async () => {
    const resolve: Resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ];
    await expect(safeFetchFor(undefined, resolve)('https://idp.example/')).rejects.toMatchObject(
      refused,
    );
  });

  test('by DNS rebinding: the name is resolved once, and the checked address is used', async () => {
    let times = 0;
    const resolve: Resolve = async () => {
      times += 1;
      return [{ address: times === 1 ? '127.0.0.1' : '10.0.0.7', family: 4 }];
    };
    const answer = await safeFetchFor('127.0.0.1', resolve)(`http://rebind.example:${port}/`);
    expect(await answer.text()).toBe('here');
    expect(times).toBe(1);
    expect(asked).toEqual([`GET rebind.example:${port}/`]);
  });

  test('R30-A4: by a name of thousands of addresses, of which the first eight are tried', async () => {
    const silent = Array.from({ length: 8 }, (_, n) => ({ address: `127.9.9.${n}`, family: 4 }));
    const fetchFrom = (...addresses: typeof silent) =>
      safeFetchFor('127.0.0.0/8', async () => addresses)(`http://many.example:${port}/`);
    const here = { address: '127.0.0.1', family: 4 };
    expect(await (await fetchFrom(...silent.slice(1), here)).text()).toBe('here');
    await expect(fetchFrom(...silent, here)).rejects.toMatchObject({ code: 'target_failed' });
  });

  test('before it is stored; a name that is not known yet may be stored', async () => {
    const check = targetCheckFor(undefined, () => Promise.reject(new Error('ENOTFOUND')));
    await expect(check('https://10.1.2.3/')).rejects.toMatchObject(refused);
    await expect(check('https://soon.example/')).resolves.toBe(undefined);
  });

  test('a URL that is not http or https, or contains a password, is refused', async () => {
    for (const url of ['file:///etc/passwd', 'ftp://example.com/', 'https://a:b@example.com/', 'x'])
      await expect(everything(url)).rejects.toMatchObject({ status: 400, code: 'bad_target' });
  });
});

test('redirects are followed three times at most, and only for GET', async () => {
  expect(await (await withLoopback(`${base}/moved`)).text()).toBe('here');
  await expect(withLoopback(`${base}/round`)).rejects.toThrow('redirects too often');
  const posted = await withLoopback(`${base}/moved`, { method: 'POST', body: 'secret' });
  expect(posted.status).toBe(301);
});

test.each([
  ['http', 1],
  ['https', 1],
  ['https', 2],
])(
  'B1: %s to %i addresses without a route is refused, and no error event is left over',
  async (scheme, count) => {
    // The system refuses a connection to the broadcast address synchronously, in any network.
    const nowhere = async () => Array(count).fill({ address: '255.255.255.255', family: 4 });
    const fetch = safeFetchFor('255.255.255.255', nowhere);
    await expect(fetch(`${scheme}://provider.example/`)).rejects.toMatchObject({
      code: 'target_failed',
      message: expect.stringContaining('ENETUNREACH'),
    });
  },
);

test('R19-10: a redirect that is no address is a failure of the target', async () => {
  await expect(withLoopback(`${base}/to-nowhere`)).rejects.toMatchObject({ code: 'target_failed' });
});

test('an answer has the headers that the target sent', async () => {
  expect((await withLoopback(`${base}/there`)).headers.get('content-length')).toBe('4');
});

test('an answer that is too large or never arrives is aborted', async () => {
  await expect(withLoopback(`${base}/huge`)).rejects.toThrow('too large');
  await expect(withLoopback(`${base}/never`, { timeoutMs: 50 })).rejects.toThrow('took too long');
});

describe('R19: a target cannot keep a request beyond its time, or the event loop busy', () => {
  /** Fetches from a server that answers by these bytes, and then by more of them as fast as they are read. */
  async function fetchFrom(head: string, repeated = '', timeoutMs = 1000) {
    const raw = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(head);
      const more = () => {
        while (repeated && socket.writable && socket.write(repeated));
      };
      socket.on('drain', more);
      more();
    });
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    try {
      return await withLoopback(`http://127.0.0.1:${(raw.address() as AddressInfo).port}/`, {
        timeoutMs,
      });
    } finally {
      raw.close();
    }
  }

  test('R19-1: a switch of the protocol is a failure', async () => {
    const answer = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
    await expect(fetchFrom(answer)).rejects.toThrow('it switches to another protocol');
  });

  test('R19-2: interim answers without end are a failure', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\n\r\n';
    const result = fetchFrom(hint, hint.repeat(100), 30_000);
    await expect(result).rejects.toThrow('it sends no final answer');
  });

  test('R19-2: so is a body of single bytes', async () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    const result = fetchFrom(head, '1\r\nx\r\n'.repeat(1000), 30_000);
    await expect(result).rejects.toThrow('too small parts');
  });

  test('a body that stalls ends with the time limit', async () => {
    const result = fetchFrom('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhere');
    await expect(result).rejects.toThrow('We couldn’t read 127.0.0.1');
  });

  test('a status that no answer can have is a failure', async () => {
    for (const status of ['799', '099']) {
      const answer = `HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`;
      await expect(fetchFrom(answer)).rejects.toThrow(`its status is ${Number(status)}`);
    }
  });

  test('a few interim answers are not', async () => {
    const answer = `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(3)}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhere`;
    expect(await (await fetchFrom(answer)).text()).toBe('here');
  });
});

test('a name without an address is reported as unknown, and so is one whose look-up fails', async () => {
  await expect(safeFetchFor(undefined, async () => [])('https://empty.example/')).rejects.toThrow(
    'We couldn’t read empty.example: its name is not known.',
  );
  const resolve: Resolve = () => Promise.reject(new Error('ENOTFOUND'));
  await expect(safeFetchFor(undefined, resolve)('https://nowhere.example/')).rejects.toThrow(
    'We couldn’t read nowhere.example: its name is not known.',
  );
});

test('B6: a request for a name whose name server is silent ends with the time limit', async () => {
  const silent: Resolve = () => new Promise(() => {});
  const fetch = safeFetchFor(undefined, silent);
  await expect(fetch('https://slow.example/', { timeoutMs: 50 })).rejects.toThrow('took too long');
});

test('a credential follows a redirect within its origin, and to no other', async () => {
  const headers = { Authorization: 'Bearer token', Cookie: 'session=1' };
  await withLoopback(`${base}/moved`, { headers });
  expect(tokens).toEqual(['Bearer token', 'Bearer token']);
  tokens = [];
  await withLoopback(`${base}/to-other-origin`, { headers });
  expect(tokens).toEqual(['Bearer token', undefined]);
});
