import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NameSources, resolveName } from './resolve-name.ts';

const folder = mkdtempSync(join(tmpdir(), 'rapport-names-'));
const silentNames = 30;
let server: Socket;
let sources: NameSources;
let asked: string[] = [];
let heardAll: () => void = () => {};

beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const { name, end } = readName(query);
    const isA = query.readUInt16BE(end) === 1;
    if (isA) asked.push(name);
    if (asked.filter((one) => one.startsWith('slow-')).length === silentNames) heardAll();
    if (!name.startsWith('slow-')) server.send(answerTo(query, name, end, isA), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  sources = {
    hostsFile: join(folder, 'hosts'),
    resolvConf: join(folder, 'resolv.conf'),
    servers: [`127.0.0.1:${server.address().port}`],
  };
  writeFileSync(sources.hostsFile, '# ours\n10.1.2.3\tidp.internal IdP # SSO\nfd00::7 idp\n');
  writeFileSync(sources.resolvConf, 'nameserver 127.0.0.1\nsearch cluster.local\n');
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** Answers 93.184.216.34 for names that begin with `known`, and NXDOMAIN for others. */
function answerTo(query: Buffer, name: string, end: number, isA: boolean): Buffer {
  const isKnown = name.startsWith('known');
  const answer = Buffer.from(query.subarray(0, end + 4));
  answer.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
  answer.writeUInt16BE(isKnown && isA ? 1 : 0, 6);
  answer.writeUInt32BE(0, 8);
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 93, 184, 216, 34]);
  return isKnown && isA ? Buffer.concat([answer, record]) : answer;
}

const within = (ms: number) => AbortSignal.timeout(ms);
const web = [{ address: '93.184.216.34', family: 4 }];

test('B6: names that are never answered delay no other lookup, and end with their signal', async () => {
  const over = new AbortController();
  const heard = new Promise<void>((resolve) => {
    heardAll = resolve;
  });
  const slow = Array.from({ length: silentNames }, (_, n) =>
    resolveName(`slow-${n}.example`, over.signal, sources),
  );
  const ended = Promise.allSettled(slow);
  await heard;
  expect(await resolveName('known.example', within(5000), sources)).toEqual(web);
  over.abort();
  expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(['rejected']));
});

test('the hosts file comes first, in upper or lower case', async () => {
  const signal = within(5000);
  const inFile = { address: '10.1.2.3', family: 4 };
  expect(await resolveName('idp.internal', signal, sources)).toEqual([inFile]);
  expect(await resolveName('IDP', signal, sources)).toEqual([
    inFile,
    { address: 'fd00::7', family: 6 },
  ]);
});

test('localhost is the local machine, whatever a name server answers', async () => {
  for (const name of ['localhost', 'a.localhost', 'LOCALHOST.'])
    expect(await resolveName(name, within(5000), sources)).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
});

test('an unknown name is looked up in the search list, unless it ends with a dot', async () => {
  asked = [];
  await expect(resolveName('idp.team', within(5000), sources)).rejects.toThrow('ENOTFOUND');
  await expect(resolveName('idp.team.', within(5000), sources)).rejects.toThrow('ENOTFOUND');
  expect(asked).toEqual(['idp.team', 'idp.team.cluster.local', 'idp.team']);
});
