import type { User } from '#domain/auth/contract.ts';
import type { Room } from '#domain/rooms/contract.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { PastCallContent } from '#server/samples/content.ts';
import { insertPastCall } from '#server/samples/insert-past-call.ts';
import { chats, type DemoCustomer, feedback, moods, promises } from './demo-customers.ts';
import { type Dice, dice } from './random.ts';

export interface DemoRoom {
  customer: DemoCustomer;
  room: Pick<Room, 'id' | 'playbookId'>;
  /** How many items its playbook has. */
  items: number;
}
interface Demo {
  hosts: readonly User[];
  rooms: readonly DemoRoom[];
  now: Date;
}

const callCount = 200;
const days = 90;
const dayMs = 86_400_000;

/** Creates 200 ended calls, with more of them recently, as in a growing organization. */
export async function seedCalls(tenant: Tenant, { hosts, rooms, now }: Demo): Promise<void> {
  const chance = dice(7);
  const starts = Array.from({ length: callCount }, () => workingTime(chance, now)).sort(
    (a, b) => a.getTime() - b.getTime(),
  );
  await tenant.transaction(async (tx) => {
    for (const startedAt of starts) {
      const { room, customer, items } = chance.pick(rooms);
      const host = chance.pick(hosts);
      await insertPastCall(tx, { room, host, startedAt }, contentOf(customer, host, items, chance));
    }
  });
}

/** On a workday, between 8 and 17. */
function workingTime(chance: Dice, now: Date): Date {
  const age = Math.floor(chance.next() ** 1.4 * days) + 1;
  const at = new Date(now.getTime() - age * dayMs);
  const daysBack = { 0: 3, 6: 1 }[at.getUTCDay()] ?? 0;
  at.setUTCDate(at.getUTCDate() - daysBack);
  at.setUTCHours(chance.between(8, 16), chance.pick([0, 15, 30, 45]), 0, 0);
  return at;
}

function contentOf(
  customer: DemoCustomer,
  host: User,
  items: number,
  chance: Dice,
): Omit<PastCallContent, 'daysAgo' | 'hour'> {
  const guests = pickSome(customer.contacts, chance.between(1, 2), chance);
  const [name = ''] = guests;
  const mood = moods[chance.pick(['good', 'good', 'good', 'fair', 'fair', 'poor'] as const)];
  const promised = pickSome(promises, chance.between(0, 2), chance);
  const actionItems = promised.map(({ us, title, due, priority }) => {
    const owner = (us ? host.firstName : name.split(' ')[0]) ?? null;
    return { owner, title, due, priority };
  });
  const lines = [
    chance.pick(mood.openings).replace('{name}', name.split(' ')[0] ?? name),
    ...pickSome(customer.facts, chance.between(1, 2), chance),
    ...actionItems.map(({ owner, title, due }) => `- ${owner}: ${lowerFirst(title)}${by(due)}`),
  ];
  const isRated = chance.next() < 0.7;
  return {
    minutes: chance.between(12, 52),
    guests,
    ticked: Math.round(items * (0.6 + 0.4 * chance.next())),
    notes: chance.next() < 0.9 ? lines.join('\n') : '',
    ...(chance.next() < 0.35 ? { chat: chance.pick(chats) } : {}),
    ...(isRated ? { score: chance.pick(mood.scores) } : {}),
    ...(isRated && chance.next() < 0.4 ? { feedback: chance.pick(feedback) } : {}),
    actionItems,
  };
}

const by = (due: string | null) => (due === null ? '' : ` by ${due}`);
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function pickSome<T>(from: readonly T[], most: number, chance: Dice): T[] {
  return [...new Set(Array.from({ length: most }, () => chance.pick(from)))];
}
