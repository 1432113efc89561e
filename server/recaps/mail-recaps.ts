import type { CallId, OrgId } from '#domain/ids.ts';
import { readActionItems } from '#server/action-items/store.ts';
import { readCallWithoutNotes } from '#server/calls/store.ts';
import { hasHeldWords } from '#server/consent/held-words.ts';
import { findInsights } from '#server/insights/store.ts';
import { countMail } from '#server/mail/limits.ts';
import { type MemberRecipient, recipientColumns } from '#server/mail/member-recipient.ts';
import { queueMails } from '#server/mail/store.ts';
import { brandOf } from '#server/organizations/brand.ts';
import { type TenantConnection, tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import { installationUrl } from '#server/platform/public-url.ts';
import type { Services } from '#server/services.ts';
import { type Recap, recapEmail } from './recap-email.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';

const mostAtOnce = 100;
const mostRecipients = 500;
/** Calls of an organization with a recap. */
const mostADay = 1000;

const due: Statement = {
  name: 'recaps_due',
  text: 'select org_id as "orgId", call_id as "callId" from recaps_due($1)',
};
// In the transaction that queues the mails, so that each call has one recap, in any number of processes.
const claim: Statement = {
  name: 'claim_recap',
  text: `insert into call_recaps (org_id, call_id) select org_id, id from calls where org_id = $1 and id = $2
    on conflict do nothing returning call_id`,
};
// What removes words of the call or names waits for these locks and then deletes the mails; or it was first, and what it
// has removed is not read.
const lockCall: Statement = {
  name: 'lock_call_of_recap',
  text: 'select from calls where org_id = $1 and id = $2 for share',
};
const lockWords: Statement = {
  name: 'lock_words_of_recap',
  text: `with summary as materialized (
      select from call_insights where org_id = $1 and call_id = $2 for share
    ), items as materialized (
      select from action_items where org_id = $1 and call_id = $2 for share
    ), people as materialized (
      select from attendances where org_id = $1 and call_id = $2 for share
    )
    select (select count(*) from summary), (select count(*) from items), (select count(*) from people)`,
};
const counts: Statement = {
  name: 'does_call_count',
  text: 'select from call_figures where org_id = $1 and call_id = $2 and averaged = 1',
};
/** Only to confirmed addresses: others may belong to anyone. A removal meanwhile waits, and deletes the mail. */
const recipients: Statement = {
  name: 'recipients_of_recap',
  text: `select ${recipientColumns}
    from recap_settings s
    join organizations o on o.id = s.org_id
    join calls c on c.org_id = s.org_id and c.id = $2
    join memberships m on m.org_id = s.org_id
    join accounts a on a.id = m.account_id
    where s.org_id = $1 and a.email_verified_at is not null
      and case s.recipients when 'staff' then true when 'agent' then a.id = c.started_by else false end
      and not exists (
        select from recap_opt_outs x where x.org_id = s.org_id and x.account_id = a.id)
    order by m.created_at, a.id limit ${mostRecipients} for key share of m`,
};

/** Queues the recaps that are due. @returns the number of calls that were handled */
export async function mailRecaps(
  services: Services,
  each: typeof eachApart = eachApart,
): Promise<number> {
  const { database, log } = services;
  const found = await database.background(({ run }) =>
    run<{ orgId: OrgId; callId: CallId }>(due, [mostAtOnce]),
  );
  const mail = ({ orgId, callId }: (typeof found)[number]) => mailRecap(services, orgId, callId);
  return each(log, found, mail, 'the recap of a call could not be queued');
}

async function mailRecap(services: Services, orgId: OrgId, callId: CallId): Promise<void> {
  const { database, config, secrets } = services;
  const home = installationUrl(config);
  const tenant = tenantOf(database, { kind: 'system', name: 'recaps', orgId }, null);
  await tenant.transaction(async (tx) => {
    if ((await tx.run(claim, [orgId, callId])).length === 0) return;
    if ((await tx.run(counts, [orgId, callId])).length === 0) return;
    const limit = { key: ['recaps of', orgId], most: mostADay, seconds: 86_400 };
    if ((await countMail(tx, config, [limit])) > 0) return;
    const rows = await tx.run<MemberRecipient>(recipients, [orgId, callId]);
    const [organization] = rows;
    if (!organization) return;
    await tx.run(lockCall, [orgId, callId]);
    await tx.run(lockWords, [orgId, callId]);
    const recap = await recapOf(tx, callId, home);
    const brand = brandOf(organization);
    for (const [language, readers] of Map.groupBy(rows, (row) => row.language ?? 'en')) {
      const mail = { orgId, callId, kind: 'notice' as const };
      await queueMails(
        tx,
        { ...mail, content: { ...recapEmail(language, recap), brand } },
        readers.map(({ id, email }) => ({
          recipient: email,
          accountId: id,
          unsubscribeUrl: `${home}/unsubscribe/recaps/${unsubscribeToken(secrets, orgId, id)}`,
        })),
      );
    }
  });
}

/** @throws DomainError 404 if the call was deleted meanwhile */
async function recapOf(at: TenantConnection, id: CallId, home: string): Promise<Recap> {
  const call = await readCallWithoutNotes(at, id);
  const isHeld = await hasHeldWords(at, id);
  const { insights } = await findInsights(at, id);
  const { actionItems } = await readActionItems(at, id);
  return {
    topic: call.room.topic,
    startedAt: new Date(call.startedAt),
    durationSec: call.durationSec ?? 0,
    agent: call.agent?.name ?? null,
    participants: call.participantsJson.map(({ name }) => name),
    score: call.npsScore,
    summary: isHeld ? [] : (insights?.summary?.map(({ text }) => text) ?? []),
    actionItems: isHeld ? actionItems.filter(({ source }) => source?.kind !== 'line') : actionItems,
    url: `${home}/app/calls/${id}`,
    home,
  };
}
