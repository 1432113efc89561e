import { expect, test } from 'vitest';
import { Checks } from './asserted.ts';
import { readInTurn } from './read-in-turn.ts';

const settings = {
  entityId: 'https://idp.example/entity',
  ssoUrl: 'https://idp.example/sso',
  certificates: [],
  ourEntityId: 'https://own.example/metadata',
  answerUrl: 'https://own.example/acs',
};

/** Posts responses that are refused. @returns the order in which they were read */
async function orderOf(senders: { address: string; isAsked: boolean; name: string }[]) {
  const order: string[] = [];
  const read = ({ name, ...sender }: (typeof senders)[number]) =>
    readInTurn(sender, { settings, given: '' }, new Checks()).catch(() => order.push(name));
  await Promise.all(senders.map(read));
  return order;
}
const asked = (address: string, name = address) => ({ address, isAsked: true, name });
const unasked = (address: string, name = address) => ({ address, isAsked: false, name });

test('B2: a network whose response was refused waits for all others, in any organization', async () => {
  await orderOf([asked('192.0.2.1')]);
  const flood = Array.from({ length: 5 }, () => asked('192.0.2.1'));
  const order = await orderOf([...flood, asked('192.0.2.2'), asked('192.0.2.3')]);
  expect(order.slice(0, 3)).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3']);
});

test('B2: responses to no open sign-in come after the others', async () => {
  const flood = Array.from({ length: 10 }, (_, n) => unasked(`198.51.100.${n}`));
  const order = await orderOf([...flood, asked('192.0.2.10')]);
  expect(order.indexOf('192.0.2.10')).toBeLessThan(2);
});

test('B2: the parts of one IPv6 network share one turn', async () => {
  const flood = Array.from({ length: 8 }, (_, n) => asked(`2001:db8:1:${n}::1`, 'flood'));
  const order = await orderOf([...flood, asked('192.0.2.20', 'employee')]);
  expect(order.indexOf('employee')).toBeLessThan(2);
});

/** Posts this many responses from each network. @returns the code of each refusal */
async function flood(networks: number, each: number, isAsked: boolean) {
  const addresses = Array.from({ length: networks * each }, (_, n) => `203.0.113.${n % networks}`);
  const given = addresses.map((address) => ({ address, isAsked }));
  return Promise.all(given.map((sender) => codeOf(sender)));
}

const codeOf = (sender: { address: string; isAsked: boolean }) =>
  readInTurn(sender, { settings, given: '' }, new Checks()).then(
    () => null,
    (error) => error.code ?? 'read',
  );
const tooMany = 'too_many_waiting';

test('B2: the total of waiting responses is bounded', async () => {
  const codes = await flood(200, 1, false);
  expect(codes.filter((code) => code === tooMany)).toHaveLength(79);
});

test.each([
  ['asked', 20, true],
  ['unasked', 15, false],
] as const)(
  'R5-1: waiting responses of many networks do not crowd out newcomers: %s',
  async (_kind, networks, isAsked) => {
    const flooding = flood(networks, 10, isAsked);
    const newcomers = Array.from({ length: 20 }, (_, n) => `198.51.100.${100 + n}`);
    const codes = await Promise.all(newcomers.map((address) => codeOf({ address, isAsked })));
    expect(codes.filter((code) => code === tooMany)).toEqual([]);
    expect(await flooding).toContain(tooMany);
  },
);
