import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { SignedInUser } from '#domain/auth/contract.ts';
import { notFound } from '#domain/errors.ts';
import { type AccountId, fileId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { listAuditEvents } from '#server/audit/store.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import { findPortrait } from '#server/profile/portrait-store.ts';
import type { Services } from '#server/services.ts';
import { lockMember } from '#server/team/member-store.ts';
import {
  mailsOfAccount,
  sectionsOfAccount,
  sectionsOfGuest,
  sectionsOfMember,
} from './person-sections.ts';

type Sections = [name: string, rows: unknown[]][];
const pageSize = 500;

/** Of oneself, with or without an organisation. */
export async function exportSelf(
  services: Services,
  { user, session }: { user: SignedInUser; session: { id: string } },
  address: string,
): Promise<Readable> {
  const { database } = services;
  const { id, orgId, role } = user;
  const mails = await database.read('outside', (at) => mailsOfAccount(at, id));
  if (orgId === null || role === null) {
    const sections = await database.read('outside', (at) => sectionsOfAccount(at, id, null));
    return fileOf([...sections, mails], [], null);
  }
  const actor = { kind: 'user' as const, accountId: id, orgId, role };
  const tenant = tenantOf(database, actor, address, { session, permission: null });
  const sections = await tenant.read((at) => sectionsOfAccount(at, id, orgId));
  return exportAccount(services, tenant, id, [...sections, mails]);
}

/** What the organization holds on a member, for an admin. @throws DomainError 404 */
export async function exportMember(
  services: Services,
  tenant: Tenant,
  id: AccountId,
): Promise<Readable> {
  await tenant.write((tx) => lockMember(tx, id));
  const sections = await tenant.read((at) => sectionsOfMember(at, id, tenant.orgId));
  return exportAccount(services, tenant, id, sections);
}

/** Of a guest, for an admin. @throws DomainError 404 where nothing is held */
export async function exportGuest(tenant: Tenant, nameOrEmail: string): Promise<Readable> {
  const sections = await tenant.read((at) => sectionsOfGuest(at, nameOrEmail, tenant.orgId));
  if (sections.length === 0) throw notFound();
  await noteExport(tenant, 'organization', tenant.orgId);
  return fileOf(sections, [], null);
}

async function exportAccount(
  services: Services,
  tenant: Tenant,
  id: AccountId,
  sections: Sections,
): Promise<Readable> {
  const portrait = await portraitOf(services, tenant, sections);
  await noteExport(tenant, 'account', id);
  return fileOf(sections, eventsBy(tenant, id), portrait);
}

const noteExport = (tenant: Tenant, entity: 'account' | 'organization', entityId: string) =>
  tenant.write((tx) => recordEvent(tx, { action: 'PERSON_EXPORTED', entity, entityId }));

/** What they did, as the audit log has it, page by page. */
async function* eventsBy(tenant: Tenant, userId: AccountId) {
  let before: string | undefined;
  do {
    const page = await listAuditEvents(tenant, { userId, limit: pageSize, before });
    yield* page;
    before = page.length < pageSize ? undefined : page.at(-1)?.id;
  } while (before !== undefined);
}

/** The picture, as an address that holds it whole. */
async function portraitOf({ files }: Services, tenant: Tenant, sections: Sections) {
  const [account] = sections.find(([name]) => name === 'account')?.[1] ?? [];
  const address = JSON.stringify(account ?? null).match(/\/portraits\/([0-9a-f-]+)\.webp/);
  const id = fileId.safeParse(address?.[1]);
  const found = id.success ? await findPortrait(tenant, id.data) : null;
  if (!found) return null;
  const bytes = await buffer(await files.get(found.key));
  return `data:${found.contentType};base64,${bytes.toString('base64')}`;
}

function fileOf(
  sections: Sections,
  events: AsyncIterable<unknown> | Iterable<unknown>,
  portrait: string | null,
): Readable {
  return Readable.from(jsonOf(sections, events, portrait));
}

async function* jsonOf(
  sections: Sections,
  events: AsyncIterable<unknown> | Iterable<unknown>,
  portrait: string | null,
): AsyncGenerator<string> {
  yield `{"exportedAt":${JSON.stringify(new Date())}`;
  for (const [name, rows] of sections) {
    yield `,\n${JSON.stringify(name)}:${JSON.stringify(rows, null, 2)}`;
  }
  if (portrait) yield `,\n"picture":${JSON.stringify(portrait)}`;
  yield ',\n"audit_events":[';
  let separator = '';
  for await (const event of events) {
    yield `${separator}\n${JSON.stringify(event)}`;
    separator = ',';
  }
  yield ']}\n';
}
