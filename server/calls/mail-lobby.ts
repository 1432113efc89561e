import { rolesWith } from '#domain/auth/permissions.ts';
import type { AccountId, OrgId, ParticipantId, RoomId } from '#domain/ids.ts';
import { countMail, type MailLimit } from '#server/mail/limits.ts';
import { type MemberRecipient, recipientColumns } from '#server/mail/member-recipient.ts';
import { queueMail } from '#server/mail/store.ts';
import { brandOf } from '#server/organizations/brand.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import { installationUrl } from '#server/platform/public-url.ts';
import type { Services } from '#server/services.ts';
import { silentGuestSeconds } from './lobby.ts';
import { lobbyEmail } from './lobby-email.ts';

/** A guest who has waited this long without an answer causes a mail. */
const mailedAfterSeconds = 60;

const unanswered: Statement = {
  name: 'lobby_entries_unanswered',
  text: 'select org_id as "orgId", participant_id as guest from lobby_entries_unanswered($1, $2)',
};
// Marked in the transaction that queues the mail, so that each guest causes one, in any number of
// processes.
const mark: Statement = {
  name: 'mark_lobby_entry_mailed',
  text: `update lobby_entries e set mailed_at = now()
    where org_id = $1 and participant_id = $2 and state = 'waiting' and mailed_at is null
    returning room_id, name, exists (select 1 from guest_links l
      where l.org_id = e.org_id and l.id = e.guest_link_id and l.name is not null) as "hasNamedLink"`,
};
const creator: Statement = {
  name: 'creator_of_room',
  text: `select r.topic, ${recipientColumns}
    from rooms r
    join organizations o on o.id = r.org_id
    join memberships m on m.org_id = r.org_id and m.account_id = r.created_by
    join accounts a on a.id = m.account_id
    where r.org_id = $1 and r.id = $2 and m.role = any ($3)`,
};
const forget: Statement = { name: 'forget_lobby_entries', text: 'select forget_lobby_entries($1)' };

interface EntryRow {
  room_id: RoomId;
  name: string;
  hasNamedLink: boolean;
}

/**
 * One mail for a room, whoever waits. Anyone can open a room's address, so by the day guests of links made for them
 * are counted separately.
 */
function limitsOf({ room_id: room, hasNamedLink }: EntryRow, owner: AccountId): MailLimit[] {
  const link = hasNamedLink ? 'named' : 'open';
  return [
    { key: ['waiting guests in', room], most: 1, seconds: 900 },
    { key: ['waiting guests of', owner, link], most: hasNamedLink ? 30 : 6, seconds: 86_400 },
  ];
}

/**
 * Tells the room's creator, once a guest, that somebody waits, within the limits of mail.
 * @param each how the guests are gone through
 * @returns how many guests that was for
 */
export async function mailAboutWaiting(
  services: Services,
  now: Date,
  each = eachApart,
): Promise<number> {
  const { database, config, log } = services;
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const found = await database.background(({ run }) =>
    run<{ orgId: OrgId; guest: ParticipantId }>(unanswered, [
      ago(mailedAfterSeconds),
      ago(silentGuestSeconds),
    ]),
  );
  const mail = async ({ orgId, guest }: (typeof found)[number]) => {
    const actor = { kind: 'system' as const, name: 'lobby-mail', orgId };
    await tenantOf(database, actor, null).transaction(async (tx) => {
      const [entry] = await tx.run<EntryRow>(mark, [orgId, guest]);
      if (!entry) return;
      const roles = rolesWith('calls.update');
      const [to] = await tx.run<MemberRecipient & { topic: string }>(creator, [
        orgId,
        entry.room_id,
        roles,
      ]);
      // A creator who left the organization, or may no longer admit guests, gets no mail.
      if (!to) return;
      const url = `${installationUrl(config)}/app/rooms/${entry.room_id}/call`;
      const content = lobbyEmail(to.language ?? 'en', entry.name, to.topic, url);
      if ((await countMail(tx, config, limitsOf(entry, to.id))) > 0) return;
      await queueMail(tx, {
        recipient: to.email,
        orgId,
        accountId: to.id,
        kind: 'notice',
        roomId: entry.room_id,
        roles,
        content: { ...content, brand: brandOf(to) },
      });
    });
  };
  return each(log, found, mail, 'a mail about a waiting guest could not be queued');
}

const keptDays = 30;

/** Deletes old lobby entries. */
export function lobbyJobs({ jobs, database }: Services): void {
  jobs.define('lobby-forget', { everyCron: '17 3 * * *' }, async () => {
    const before = new Date(Date.now() - keptDays * 86_400_000);
    await database.connection('outside', ({ run }) => run(forget, [before]));
  });
}
