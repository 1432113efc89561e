import type { CrmVendor } from '#domain/crm/mapping.ts';
import { DomainError } from '#domain/errors.ts';
import type { CallId, OrgId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { hasFeature } from '#server/billing/has-feature.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { installationUrl } from '#server/platform/public-url.ts';
import { paidBy } from '#server/platform/safe-fetch.ts';
import { chooseCrm } from '#server/providers/crm/choose.ts';
import { type Contact, type Crm, CrmFailure } from '#server/providers/crm/port.ts';
import type { Services } from '#server/services.ts';
import { readMapping } from './connection-store.ts';
import { digestOf } from './digest.ts';
import { readLoggedCall, readLoggedItem, urlOf } from './logged-call.ts';
import { SyncNotes, type TakenSync } from './note-sync.ts';
import { sendFields } from './send-fields.ts';
import { CrmSession } from './session.ts';
import { removeTasks, syncTasks } from './sync-tasks.ts';

/** Shorter than the lease by the longest requests of a turn's end. */
const turnMs = 45_000;

interface SyncRow extends TakenSync {
  callId: CallId;
  vendor: CrmVendor;
  mapping: unknown;
  customerEmail: string | null;
  contactKind: Contact['kind'] | null;
  contactId: string | null;
  isUncertain: boolean;
  startedAt: Date | null;
  remoteId: string | null;
  remoteDigest: string | null;
  sentProperties: string[];
  isCallDeleted: boolean;
}

const takenSync: Statement = {
  name: 'taken_crm_sync',
  text: `select s.id, s.lease, s.connection_id as "connectionId", s.wanted_version as version, s.attempts,
      s.first_try_at as "firstTryAt", s.call_id as "callId", n.vendor, n.mapping,
      s.customer_email as "customerEmail", s.contact_kind as "contactKind", s.contact_id as "contactId",
      s.creating_at is not null as "isUncertain", s.call_started_at as "startedAt", s.remote_id as "remoteId",
      s.remote_digest as "remoteDigest", s.sent_properties as "sentProperties", s.call_deleted_at is not null as "isCallDeleted"
    from crm_syncs s join crm_connections n on n.org_id = s.org_id and n.id = s.connection_id
    where s.org_id = $1 and s.id = $2 and s.lease = $3`,
};

interface Turn {
  services: Services;
  tenant: Tenant;
  crm: Crm;
  session: CrmSession;
  notes: SyncNotes;
  sync: SyncRow;
  until: number;
}

/** Sends one call, and stores what became of it. */
export async function syncCall(
  services: Services,
  { id, orgId, lease }: { id: string; orgId: OrgId; lease: string },
): Promise<void> {
  const tenant = tenantOf(services.database, { kind: 'system', name: 'crm', orgId }, null);
  const [sync] = await tenant.connection(({ run }) =>
    run<SyncRow & Record<string, unknown>>(takenSync, [orgId, id, lease]),
  );
  if (!sync) return;
  const notes = new SyncNotes(tenant, sync);
  const crm = chooseCrm(services.config, paidBy(orgId, services.outside.fetch), sync.vendor);
  if (!crm) {
    await notes.failed(new CrmFailure('unavailable', 'It is not configured any more.'));
    return;
  }
  const session = new CrmSession(tenant, services, crm, sync.connectionId);
  const until = performance.now() + turnMs;
  const turn = { services, tenant, crm, session, notes, sync, until };
  try {
    await (sync.isCallDeleted ? removeCall(turn) : sendCall(turn));
  } catch (error) {
    if (error instanceof CrmFailure) await notes.failed(error);
    // Deleted meanwhile: what follows is in the row.
    else if (isMissing(error) && (await notes.isToRemove())) return;
    else {
      services.log.error({ err: error, orgId, syncId: id }, 'a call could not be sent to a CRM');
      await notes.failed(new CrmFailure('unavailable', 'Rapport could not send it.'));
    }
  }
}

const isMissing = (error: unknown) => error instanceof DomainError && error.kind === 'not_found';

async function sendCall(turn: Turn): Promise<void> {
  const { tenant, crm, session, notes, sync } = turn;
  const home = installationUrl(turn.services.config);
  const mapping = readMapping(sync.mapping);
  const { call, items, isInternal } = await tenant.connection((at) =>
    readLoggedCall(at, sync.callId, home),
  );
  if (isInternal && sync.remoteId === null) return void (await notes.skipped('internal'));
  if (sync.remoteId === null && !sync.isUncertain && !(await hasPlan(turn)))
    return void (await notes.skipped('no_plan'));
  const sending = { ...turn, ...sync, mapping, home };
  let contact = contactOf(sync);
  let { remoteId } = sync;
  let names: string[] | null = null;
  if (remoteId === null && sync.isUncertain && contact) {
    const before = contact;
    remoteId = await session.use((access) => crm.findCreated(access, before, call));
    if (remoteId !== null) await notes.keepRemote(remoteId);
  }
  if (remoteId === null) {
    contact = await findContact(turn);
    if (!contact || !(await notes.creating(contact))) return;
    const created = await createCall(turn, contact, sending);
    if (created === null) return;
    names = created;
  } else if (sync.remoteDigest !== digestOf(crm.callFields(call, mapping))) {
    const id = remoteId;
    names = await sendFields(sending, (access, fields) => crm.update(access, 'call', id, fields));
    if (names === null) return;
  }
  if (names) await recordSent(turn, contact, names);
  if (contact) {
    const mayCreate = mapping.actionItems.isSent;
    const read = (id: string) => tenant.connection((at) => readLoggedItem(at, sync.callId, id));
    const at = { ...turn, syncId: sync.id, read };
    const { changes, isDone } = await syncTasks(at, { call, items, contact, mayCreate });
    if (changes > 0) await recordSent(turn, contact, ['tasks'], { count: changes });
    if (!isDone) return void (await notes.continues());
  }
  await notes.synced();
}

/** What was sent is still updated without it, because what is removed here is to be removed there. */
const hasPlan = ({ services, tenant }: Turn) =>
  tenant.connection((at) => hasFeature(at, services.billing, 'crmIntegrations'));

/** Returns the only contact with the customer's address. Otherwise the reason is stored, and nothing is sent. */
async function findContact({ crm, session, notes, sync }: Turn): Promise<Contact | null> {
  const email = sync.customerEmail;
  if (email === null) return skip(notes, 'no_customer');
  const [contact, another] = await session.use((access) => crm.findContacts(access, email));
  if (another) return skip(notes, 'several_matches');
  return contact ?? skip(notes, 'no_match');
}

async function skip(notes: SyncNotes, reason: Parameters<SyncNotes['skipped']>[0]): Promise<null> {
  await notes.skipped(reason);
  return null;
}

type Sending = Parameters<typeof sendFields>[0];

/** @returns the names of what was sent; null if there is nothing to do any more */
async function createCall(
  turn: Turn,
  contact: Contact,
  sending: Sending,
): Promise<string[] | null> {
  const { crm, notes } = turn;
  try {
    return await sendFields({ ...sending, sentProperties: [] }, async (access, fields) => {
      await notes.keepRemote(await crm.create(access, 'call', contact, fields));
    });
  } catch (error) {
    if (!(error instanceof CrmFailure) || error.kind === 'unavailable') throw error;
    await notes.notCreated();
    if (error.kind !== 'rejected' && error.kind !== 'missing') throw error;
    const now = await findContact(turn);
    if (now === null) return null;
    // The contact is there, so that something else is wrong.
    throw new CrmFailure(now.id === contact.id ? 'rejected' : 'unavailable', error.message);
  }
}

/** Deletes the call and its tasks at the vendor. */
async function removeCall(turn: Turn): Promise<void> {
  const { tenant, crm, session, notes, sync } = turn;
  const remoteId = sync.remoteId ?? (await findUnanswered(turn));
  if (!(await removeTasks({ ...turn, syncId: sync.id }))) return void (await notes.continues());
  if (remoteId !== null) {
    await session.use((access) => crm.remove(access, 'call', remoteId));
    await tenant.transaction((tx) =>
      recordEvent(tx, {
        action: 'CRM_CALL_DELETED',
        entity: 'call',
        entityId: sync.callId,
        metadata: { vendor: sync.vendor, contactId: sync.contactId },
      }),
    );
  }
  await notes.forgotten();
}

/** Returns a call that the vendor may have created without answering. */
async function findUnanswered({ services, crm, session, sync }: Turn): Promise<string | null> {
  const { callId: id, isUncertain, startedAt } = sync;
  const contact = contactOf(sync);
  if (!isUncertain || !contact || !startedAt) return null;
  const key = { id, startedAt, url: urlOf(installationUrl(services.config), id) };
  return session.use((access) => crm.findCreated(access, contact, key));
}

/** The names of what left, and for whom: the CRM's id of the contact. */
const recordSent = (
  { tenant, sync }: Turn,
  contact: Contact | null,
  fields: string[],
  more: Record<string, unknown> = {},
) =>
  tenant.transaction((tx) =>
    recordEvent(tx, {
      action: 'CRM_CALL_SENT',
      entity: 'call',
      entityId: sync.callId,
      metadata: { vendor: sync.vendor, contactId: contact?.id ?? null, fields, ...more },
    }),
  );

const contactOf = ({ contactKind: kind, contactId: id }: SyncRow): Contact | null =>
  kind && id ? { kind, id } : null;
