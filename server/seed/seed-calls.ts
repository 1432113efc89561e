import * as Y from 'yjs';
import type { User } from '#domain/auth/contract.ts';
import { type CallId, callId, participantId, ratingId } from '#domain/ids.ts';
import type { Playbook } from '#domain/playbooks/contract.ts';
import type { Room } from '#domain/rooms/contract.ts';
import {
  attendances,
  callChecklistItems,
  callNoteUpdates,
  calls,
  ratings,
} from '#server/calls/tables.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import { newId } from '#server/platform/ids.ts';
import * as content from './demo-content.ts';
import { type Dice, dice } from './random.ts';

interface Demo {
  users: User[];
  rooms: Room[];
  playbooks: Playbook[];
  now: Date;
}

const callCount = 200;
const days = 90;
const dayMs = 86_400_000;

/** Creates 200 ended calls, with more of them recently, as in a growing organization. */
export async function seedCalls(tenant: Tenant, demo: Demo): Promise<void> {
  const chance = dice(7);
  const starts = Array.from({ length: callCount }, () => workingTime(chance, demo.now)).sort(
    (a, b) => a.getTime() - b.getTime(),
  );
  await tenant.transaction(async (tx) => {
    for (const startedAt of starts) await seedCall(tx, demo, chance, startedAt);
  });
}

function workingTime(chance: Dice, now: Date): Date {
  const age = Math.floor(chance.next() ** 1.4 * days) + 1;
  const at = new Date(now.getTime() - age * dayMs);
  at.setUTCHours(chance.between(8, 16), chance.pick([0, 15, 30, 45]), 0, 0);
  return at;
}

async function seedCall(
  tx: TenantConnection,
  demo: Demo,
  chance: Dice,
  startedAt: Date,
): Promise<void> {
  const room = chance.pick(demo.rooms);
  const host = chance.pick(demo.users.filter((user) => user.role !== 'VIEWER'));
  const durationSec = chance.between(6, 48) * 60 + chance.between(0, 59);
  const endedAt = new Date(startedAt.getTime() + durationSec * 1000);
  const id = newId(callId, startedAt);
  const note = chance.next() < 0.8 ? chance.pick(content.notes) : null;
  await tx.db.insert(calls).values({
    id,
    orgId: tx.tenant.orgId,
    roomId: room.id,
    playbookId: room.playbookId,
    startedBy: host.id,
    startedAt,
    endedAt,
    durationSec,
    lastSeenAt: endedAt,
    notesSnapshot: note,
    createdAt: startedAt,
  });
  if (note) await seedNotes(tx, id, note);
  await seedChecklist(tx, demo, chance, id, room, host, endedAt);
  await seedAttendances(tx, chance, id, host, startedAt, endedAt);
  if (chance.next() < 0.7) await seedRating(tx, chance, id, host, endedAt);
}

async function seedNotes(tx: TenantConnection, id: CallId, note: string): Promise<void> {
  const doc = new Y.Doc();
  doc.getText('notes').insert(0, note);
  const update = Buffer.from(Y.encodeStateAsUpdate(doc));
  await tx.db.insert(callNoteUpdates).values({ orgId: tx.tenant.orgId, callId: id, update });
}

async function seedChecklist(
  tx: TenantConnection,
  { playbooks }: Demo,
  chance: Dice,
  id: CallId,
  room: Room,
  host: User,
  endedAt: Date,
): Promise<void> {
  const playbook = playbooks.find((candidate) => candidate.id === room.playbookId);
  if (!playbook) return;
  await tx.db.insert(callChecklistItems).values(
    playbook.checklistItems.map((item) => {
      const checked = chance.next() < 0.78;
      return {
        orgId: tx.tenant.orgId,
        callId: id,
        itemId: item.id,
        text: item.text,
        position: item.order,
        checkedAt: checked ? endedAt : null,
        checkedBy: checked ? host.id : null,
      };
    }),
  );
}

async function seedAttendances(
  tx: TenantConnection,
  chance: Dice,
  id: CallId,
  host: User,
  joinedAt: Date,
  leftAt: Date,
): Promise<void> {
  const common = { orgId: tx.tenant.orgId, callId: id, joinedAt, leftAt, lastSeenAt: leftAt };
  const guests = new Set(
    Array.from({ length: chance.between(1, 3) }, () => chance.pick(content.customers)),
  );
  await tx.db.insert(attendances).values([
    {
      ...common,
      id: newId(participantId, joinedAt),
      kind: 'staff' as const,
      accountId: host.id,
      name: `${host.firstName} ${host.lastName}`,
    },
    ...[...guests].map((name) => ({
      ...common,
      id: newId(participantId, joinedAt),
      kind: 'guest' as const,
      accountId: null,
      name,
    })),
  ]);
}

async function seedRating(
  tx: TenantConnection,
  chance: Dice,
  id: CallId,
  host: User,
  at: Date,
): Promise<void> {
  const score = chance.pick([10, 10, 9, 9, 9, 8, 8, 7, 7, 6, 5, 3]);
  await tx.db.insert(ratings).values({
    id: newId(ratingId, at),
    orgId: tx.tenant.orgId,
    callId: id,
    kind: 'staff',
    accountId: host.id,
    score,
    feedback: chance.next() < 0.4 ? chance.pick(content.feedback) : null,
    createdAt: at,
    updatedAt: at,
  });
}
