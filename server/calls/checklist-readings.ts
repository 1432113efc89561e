import type { CallId, RoomId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Services } from '#server/services.ts';
import type { RunningCall } from './admit-participant.ts';
import { readChecklist } from './check-item.ts';
import { type Person, reaches } from './live-person.ts';
import type { LiveSession } from './live-session.ts';
import type { Outgoing, RoomEvent } from './room-events.ts';

/** A panel that receives the state of the running call. */
export interface Receiver {
  person: Person;
  session: LiveSession;
  call: RunningCall;
}

type Checklist = Extract<Outgoing, { type: 'checklist' }>;
type Items = Checklist['items'];
type Ticks = RoomEvent & { message: Extract<Outgoing, { type: 'checked' | 'checklist' }> };

/** One query for the panels that wait for its result. */
interface Reading {
  callId: CallId;
  receivers: Set<Receiver>;
  /** Ticks since the query was sent, which its result may lack, in order. */
  heard: Ticks[];
  /** Settles when all receivers were sent the result. */
  sent: Promise<void>;
}

/**
 * Reads checklists for panels: one query at a time for each call, however many panels wait, and however much
 * is ticked meanwhile.
 */
export class ChecklistReadings {
  readonly #database: Services['database'];
  readonly #readings = new Map<RoomId, Reading>();

  constructor({ database }: Pick<Services, 'database'>) {
    this.#database = database;
  }

  /** Notes a tick. Call it before the tick, or its acknowledgment, is sent to the panels that the event reaches. */
  hear(roomId: RoomId, { message, ...address }: RoomEvent): void {
    const reading = this.#readings.get(roomId);
    if (!reading || (message?.type !== 'checked' && message?.type !== 'checklist')) return;
    if (message.type === 'checklist' && message.callId !== reading.callId) return;
    reading.heard.push({ ...address, message });
  }

  /** Sends a panel all items of the call's checklist, with the ticks that the panel was told of meanwhile. */
  send(receiver: Receiver): Promise<void> {
    const { call, person } = receiver;
    const { roomId } = person.admitted.claims;
    const running = this.#readings.get(roomId);
    // Also a query that was sent before: what was ticked since then is in `heard`.
    const reading = running?.callId === call.id ? running : this.#begin(receiver);
    reading.receivers.add(receiver);
    return reading.sent;
  }

  #begin({ call, person }: Receiver): Reading {
    const { orgId, roomId } = person.admitted.claims;
    const reading: Reading = {
      callId: call.id,
      receivers: new Set(),
      heard: [],
      sent: Promise.resolve(),
    };
    this.#readings.set(roomId, reading);
    // Not as the first receiver, whose other work, or whose removal, is not for the others to wait for.
    const tenant = tenantOf(this.#database, { kind: 'system', name: 'checklists', orgId }, null);
    reading.sent = readChecklist(tenant, call.id)
      // In one synchronous step, so that no tick arrives after one panel was sent the result and before another.
      .then((items) => sendAll(reading, items))
      .finally(() => {
        if (this.#readings.get(roomId) === reading) this.#readings.delete(roomId);
      });
    return reading;
  }
}

function sendAll({ callId, receivers, heard }: Reading, items: Items): void {
  const shared: Checklist = { type: 'checklist', callId, items };
  for (const { person, session } of receivers) {
    // It is greeted again when it returns.
    if (session.socketGone.aborted) continue;
    const ticks = heard.filter((event) => reaches(event, person));
    session.send(ticks.length === 0 ? shared : { ...shared, items: withTicks(items, ticks) });
  }
}

function withTicks(items: Items, ticks: Ticks[]): Items {
  const newest = new Map<string, boolean>();
  for (const { message } of ticks) {
    const changed = message.type === 'checked' ? [message] : message.items;
    for (const { itemId, checked } of changed) newest.set(itemId, checked);
  }
  return items.map(({ itemId, checked }) => ({
    itemId,
    checked: newest.get(itemId) ?? checked,
  }));
}
