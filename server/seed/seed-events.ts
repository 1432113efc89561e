import { z } from 'zod';
import type { User } from '#domain/auth/contract.ts';
import { type AuditEntry, insertEvent } from '#server/audit/record-event.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { DemoRoom } from './seed-calls.ts';

const heldCalls: Statement = {
  name: 'demo_calls',
  text: `select c.id, c.room_id as "roomId", c.started_by as "startedBy", c.started_at as "startedAt",
      c.ended_at as "endedAt",
      exists (select from ratings g where g.call_id = c.id) as "isRated"
    from calls c where c.org_id = $1 and c.ended_at is not null`,
};
interface HeldCall {
  id: string;
  roomId: string;
  startedBy: string;
  startedAt: Date;
  endedAt: Date;
  isRated: boolean;
}
interface Past extends AuditEntry {
  by: string;
  at: Date;
}

/** Writes the events that three months of work have left, in their order. */
export async function seedEvents(
  tenant: Tenant,
  { rooms, users, since }: { rooms: readonly DemoRoom[]; users: readonly User[]; since: Date },
): Promise<void> {
  const [admin, ...others] = users;
  if (!admin) return;
  const after = (minutes: number) => new Date(since.getTime() + minutes * 60_000);
  const events: Past[] = others.map(({ id }, index) => ({
    ...{ by: id, at: after(60 * (index + 1)), action: 'INVITATION_ACCEPTED' as const },
    ...{ entity: 'account' as const, entityId: id },
  }));
  for (const [index, { room }] of rooms.entries()) {
    const made = { by: admin.id, at: after(300 + 12 * index) };
    events.push({ ...made, action: 'ROOM_CREATED', entity: 'room', entityId: room.id });
    if (!room.playbookId) continue;
    const at = after(296 + 12 * index);
    const playbook = { entity: 'playbook' as const, entityId: room.playbookId };
    events.push({ ...made, ...playbook, at, action: 'PLAYBOOK_CREATED' });
  }
  await tenant.transaction(async ({ run }) => {
    for (const call of await run<HeldCall>(heldCalls, [tenant.orgId])) events.push(...of(call));
    events.sort((a, b) => a.at.getTime() - b.at.getTime());
    for (const { by, at, action, entity, entityId, metadata } of events) {
      await run(insertEvent, [
        ...[newId(z.uuid(), at), tenant.orgId, 'user', by, action, entity, entityId],
        ...[metadata ? JSON.stringify(metadata) : null, '203.0.113.24', at],
      ]);
    }
  });
}

function of({ id, roomId, startedBy, startedAt, endedAt, isRated }: HeldCall): Past[] {
  const call = { by: startedBy, entity: 'call' as const, entityId: id };
  const rated = {
    ...call,
    at: new Date(endedAt.getTime() + 20_000),
    action: 'CALL_RATED' as const,
  };
  return [
    { ...call, at: startedAt, action: 'CALL_CREATED', metadata: { roomId } },
    {
      ...call,
      at: endedAt,
      action: 'CALL_ENDED',
      metadata: { fields: ['endedAt', 'durationSec'] },
    },
    ...(isRated ? [rated] : []),
  ];
}
