import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { SignedInUser } from '#domain/auth/contract.ts';
import { notFound } from '#domain/errors.ts';
import { type AccountId, fileId } from '#domain/ids.ts';
import { pagesOfEvents } from '#server/audit/pages-of-events.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { requireStillMay, type Tenant, tenantOf } from '#server/platform/access.ts';
import { sessionCheck } from '#server/platform/authority.ts';
import type { Database, Gate } from '#server/platform/database.ts';
import { exportTurns } from '#server/platform/export-turns.ts';
import { findPortrait } from '#server/profile/portrait-store.ts';
import type { Services } from '#server/services.ts';
import { lockMember } from '#server/team/member-store.ts';
import { guestKeyOf } from './guest-key.ts';
import {
  accountRow,
  mailsOfAccount,
  memberRow,
  sectionsOfAccount,
  sectionsOfGuest,
  sectionsOfMember,
} from './person-sections.ts';
import { hasRows, pagesOf, type ReadPage, type Section } from './section-pages.ts';

/** The parts of an export, which are read while it is sent. */
interface Parts {
  read: ReadPage;
  whole: readonly [name: string, rows: unknown[]][];
  sections: readonly Section[];
  picture: string | null;
  events: AsyncIterable<readonly unknown[]>;
}

/** Exports the caller's own data, with or without an organization. */
export async function exportSelf(
  services: Services,
  { user, session }: { user: SignedInUser; session: { id: string } },
  address: string,
): Promise<Readable> {
  const { database } = services;
  const { id, orgId, role } = user;
  const outside = readOutside(database, session, id);
  const account = await outside((at) => accountRow(at, id));
  const mails = await outside((at) => mailsOfAccount(at, id));
  const whole: Parts['whole'] = [
    ['account', account],
    ['mails', mails],
  ];
  if (orgId === null || role === null) {
    const sections = await outside((at) => sectionsOfAccount(at, id, null));
    return fileOf({ read: outside, whole, sections, picture: null, events: none() });
  }
  const actor = { kind: 'user' as const, accountId: id, orgId, role };
  const tenant = tenantOf(database, actor, address, { session, permission: null });
  const sections = await readIn(tenant)((at) => sectionsOfAccount(at, id, orgId));
  return exportAccount(services, tenant, id, { whole, sections });
}

/** Exports what the organization stores about a member, for an admin. @throws DomainError 404 */
export async function exportMember(
  services: Services,
  tenant: Tenant,
  id: AccountId,
): Promise<Readable> {
  await tenant.transaction((tx) => lockMember(tx, id));
  const read = readIn(tenant);
  const account = await read((at) => memberRow(at, id));
  const sections = await read((at) => sectionsOfMember(at, id, tenant.orgId));
  return exportAccount(services, tenant, id, { whole: [['account', account]], sections });
}

/** Exports the data about a guest, for an admin. @throws DomainError 404 if there is none */
export async function exportGuest(tenant: Tenant, nameOrEmail: string): Promise<Readable> {
  const read = readIn(tenant);
  const key = await read((at) => guestKeyOf(at, nameOrEmail));
  const sections = sectionsOfGuest(key, tenant.orgId);
  if (!(await hasAny(read, sections))) throw notFound();
  await noteExport(tenant, 'organization', tenant.orgId);
  return fileOf({ read, whole: [], sections, picture: null, events: none() });
}

async function exportAccount(
  services: Services,
  tenant: Tenant,
  id: AccountId,
  { whole, sections }: Pick<Parts, 'whole' | 'sections'>,
): Promise<Readable> {
  const picture = await portraitOf(services, tenant, whole);
  await noteExport(tenant, 'account', id);
  const events = pagesOfEvents(tenant, { userId: id });
  return fileOf({ read: readIn(tenant), whole, sections, picture, events });
}

/**
 * Returns a reader that takes the organization's turn for each page, and checks the session, the membership,
 * and the permission each time. A wait for the organization's own connections blocks no turn of others.
 */
function readIn(tenant: Tenant): ReadPage {
  const through: Gate = (work) => exportTurns.run(tenant.orgId, work);
  return async (use) => {
    await requireStillMay(tenant);
    return tenant.connection(use, { through });
  };
}

/** Returns such a reader for an account's rows outside of all organizations. It checks the session. */
function readOutside(database: Database, session: { id: string }, account: AccountId): ReadPage {
  const { statement, values } = sessionCheck(session, account, null);
  const through: Gate = (work) => exportTurns.run(account, work);
  return (use) =>
    database.connection(
      'outside',
      async (at) => {
        await at.run(statement, values);
        return use(at);
      },
      { actorKey: account, through },
    );
}

const noteExport = (tenant: Tenant, entity: 'account' | 'organization', entityId: string) =>
  tenant.transaction((tx) => recordEvent(tx, { action: 'PERSON_EXPORTED', entity, entityId }));

async function* none(): AsyncGenerator<never> {}

async function hasAny(read: ReadPage, sections: readonly Section[]): Promise<boolean> {
  for (const section of sections) if (await hasRows(read, section)) return true;
  return false;
}

/** Returns the image as a data URL. */
async function portraitOf({ files }: Services, tenant: Tenant, whole: Parts['whole']) {
  const [account] = whole.find(([name]) => name === 'account')?.[1] ?? [];
  const address = JSON.stringify(account ?? null).match(/\/portraits\/([0-9a-f-]+)\.webp/);
  const id = fileId.safeParse(address?.[1]);
  const found = id.success ? await findPortrait(tenant, id.data) : null;
  if (!found) return null;
  const bytes = await buffer(await files.get(found.key));
  return `data:${found.contentType};base64,${bytes.toString('base64')}`;
}

/** A byte stream, so that at most a page is read ahead of a slow reader. */
const fileOf = (parts: Parts): Readable => Readable.from(jsonOf(parts), { objectMode: false });

async function* jsonOf({ read, whole, sections, picture, events }: Parts): AsyncGenerator<string> {
  yield `{"exportedAt":${JSON.stringify(new Date())}`;
  for (const [name, rows] of whole) {
    yield `,\n${JSON.stringify(name)}:${JSON.stringify(rows, null, 2)}`;
  }
  for (const section of sections) {
    yield* listOf(section.name, pagesOf(read, section), section.isShownEmpty);
  }
  if (picture) yield `,\n"picture":${JSON.stringify(picture)}`;
  yield* listOf('audit_events', events, true);
  yield '}\n';
}

/** Yields a member of the JSON object, in a chunk per page. */
async function* listOf(
  name: string,
  pages: AsyncIterable<readonly unknown[]>,
  isShownEmpty: boolean,
): AsyncGenerator<string> {
  const head = `,\n${JSON.stringify(name)}:[`;
  let separator = head;
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield `${separator}\n${rows.map((row) => JSON.stringify(row)).join(',\n')}`;
    separator = ',';
  }
  if (separator !== head) yield ']';
  else if (isShownEmpty) yield `${head}]`;
}
