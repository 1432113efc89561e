import { notFound } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { type Asking, requireStillAsking } from '#server/auth/change-credentials.ts';
import { leaveAccount } from '#server/auth/leave-account.ts';
import { discardOfGuest } from '#server/consent/discard-captured.ts';
import { eraseReceiptsOfGuest } from '#server/consent/erase-receipts.ts';
import { forgetKeptAnswers } from '#server/consent/forget-kept-answers.ts';
import { forgetCallMails } from '#server/mail/forget-call-mails.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { actsBriefly } from '#server/platform/database-timeouts.ts';
import { forgetOldPortraits } from '#server/profile/portrait-store.ts';
import type { Services } from '#server/services.ts';
import { endMembership, lockAdmins } from '#server/team/member-store.ts';
import { forgetResponses } from '#server/webhooks/end-deliveries.ts';
import { beginErasure } from './finish-erasures.ts';
import { guestKeyOf } from './guest-key.ts';

const isMadeHere: Statement = {
  name: 'is_account_made_here',
  text: `select 1 from scim_users s
    join accounts a on a.id = s.account_id
    join sso_domains d on d.org_id = s.org_id and d.verified_at is not null
      and d.domain = split_part(a.email, '@', 2)
    where s.org_id = $1 and s.account_id = $2 and s.account_made_at is not null`,
};

const noteErasure: Statement = {
  name: 'note_erasure',
  text: `insert into erasures (org_id, account_id, address) select $1, id, email from accounts where id = $2
    on conflict (org_id, account_id) do update set address = excluded.address`,
};

/**
 * Ends a membership, and anonymizes this organization's data about the person, later where others have it locked
 * (finish-erasures.ts). The account belongs to the person and stays, unless this organization's directory created
 * it on a domain that it has verified.
 * @throws DomainError 404, 403 for a super admin, 409 for the last admin
 */
export async function eraseMember(
  services: Services,
  tenant: Tenant,
  id: AccountId,
): Promise<void> {
  const erase = async (tx: TenantConnection) => {
    const madeHere = await tx.run(isMadeHere, [tenant.orgId, id]);
    await leaveToErasure(tx, id);
    // A member belongs to one organization, so no other one uses this account.
    if (madeHere.length > 0) await leaveAccount(tx, id);
  };
  const isOwn = id === actingAccount(tenant);
  await (isOwn
    ? tenant.transactionEndingOwn('session', lockAdminsBriefly, erase)
    : tenant.transaction(erase, { overrulesLocks: true }));
  await afterLeaving(services, tenant, id);
}

/**
 * Erases a member and deletes the account, which only its owner may request.
 * @throws as `eraseMember` and `requireStillAsking`
 */
export async function eraseOwnAccount(
  services: Services,
  tenant: Tenant,
  asking: Asking,
): Promise<void> {
  const { id } = asking.user;
  await tenant.transaction(async (tx) => {
    // Locks in the same order as an admin's removal of the member.
    await lockAdminsBriefly(tx);
    await requireStillAsking(tx, asking);
    await leaveToErasure(tx, id);
    await leaveAccount(tx, id);
  });
  await afterLeaving(services, tenant, id);
}

/** For what people do to themselves: admins must not wait for long until they can remove them. */
async function lockAdminsBriefly(tx: TenantConnection): Promise<void> {
  await tx.run(actsBriefly, []);
  await lockAdmins(tx);
}

async function leaveToErasure(tx: TenantConnection, id: AccountId): Promise<void> {
  await endMembership(tx, id);
  await recordEvent(tx, { action: 'PERSON_DELETED', entity: 'account', entityId: id });
  await tx.run(noteErasure, [tx.tenant.orgId, id]);
}

async function afterLeaving(services: Services, tenant: Tenant, id: AccountId): Promise<void> {
  await beginErasure(services, id, tenant.orgId);
  // The nightly job deletes what is left.
  await forgetOldPortraits(tenant, services.files).catch(() => undefined);
}

// $1 is the organization, $2 a name or an address in lower case.
const eraseGuestStatement: Statement = {
  name: 'erase_guest',
  text: `with here as (select id from attendances_of_guest($2) id),
    feedback as (
      update ratings set feedback = null
      where org_id = $1 and attendance_id in (select id from here) and feedback is not null
    ),
    chats as (
      delete from chat_messages
      where org_id = $1 and id in (select chat_messages_of_guest($2)) returning 1
    ),
    attended as (
      update attendances set name = 'Deleted person'
      -- Those of people who were erased before are left as they are.
      where org_id = $1 and name <> 'Deleted person' and id in (select id from here) returning 1
    ),
    waited as (
      delete from lobby_entries
      where org_id = $1 and participant_id in (select lobby_entries_of_guest($2)) returning 1
    ),
    mailed as (
      delete from mails m
      where m.recipient = $2 and m.org_id = $1 returning 1
    ),
    tokens as (
      update hosted_tokens set claims = claims - 'name'
      where org_id = $1 and guest_link_id is not null and lower(claims ->> 'name') = $2 returning 1
    ),
    embedded as (
      delete from embed_tokens where org_id = $1 and lower(name) = $2 returning 1
    ),
    invited as (
      delete from invitations where org_id = $1 and email = $2 returning 1
    ),
    hosted as (
      update rooms set customer_email = null where org_id = $1 and customer_email = $2 returning 1
    ),
    logged as (
      update crm_syncs set customer_email = null, detail = null where org_id = $1 and customer_email = $2 returning 1
    ),
    answers as (
      update crm_syncs set detail = null
      where org_id = $1 and detail is not null and customer_email is distinct from $2
    )
    select ((select count(*) from chats) + (select count(*) from attended)
      + (select count(*) from waited) + (select count(*) from mailed) + (select count(*) from tokens)
      + (select count(*) from embedded)
      + (select count(*) from invited) + (select count(*) from hosted)
      + (select count(*) from logged))::int as erased`,
};

/**
 * Anonymizes a guest in the organization's records: deletes what the guest wrote, and keeps the attendances
 * without the name.
 * @returns the number of records
 * @throws DomainError 404 if there are none
 */
export function eraseGuest(tenant: Tenant, nameOrEmail: string): Promise<number> {
  return tenant.transaction(async (tx) => {
    const name = await guestKeyOf(tx, nameOrEmail);
    await discardOfGuest(tx, name);
    const receipts = await eraseReceiptsOfGuest(tx, name);
    const [found] = await tx.run<{ erased: number }>(eraseGuestStatement, [tenant.orgId, name]);
    const count = receipts + (found?.erased ?? 0);
    if (count === 0) throw notFound();
    await forgetResponses(tx);
    await forgetCallMails(tx);
    await forgetKeptAnswers(tx);
    await recordEvent(tx, {
      action: 'GUEST_DELETED',
      entity: 'organization',
      entityId: tenant.orgId,
      metadata: { count },
    });
    return count;
  });
}
