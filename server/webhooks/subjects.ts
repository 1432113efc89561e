import type { z } from 'zod';
import type { AccountId, CallId, InvitationId } from '#domain/ids.ts';
import type { webhookData } from '#domain/webhooks/events.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/*
 * What events are about, where no other function reads it by its id. Each returns null if it was deleted.
 */

type Data<Type extends keyof typeof webhookData> = z.infer<(typeof webhookData)[Type]>;

const ratingById: Statement = {
  name: 'rating_of_webhook',
  text: `select g.id, g.kind, g.score, g.feedback, g.updated_at as "ratedAt",
      coalesce(t.name, nullif(trim(a.first_name || ' ' || a.last_name), ''), a.email) as name
    from ratings g
    left join known_people a on a.id = g.account_id
    left join attendances t on t.id = g.attendance_id
    where g.org_id = $1 and g.id = $2`,
};
const transcriptOfCall: Statement = {
  name: 'transcript_of_webhook',
  text: `select count(*)::integer as "lineCount",
      coalesce(array_agg(distinct language) filter (where language is not null), '{}') as languages
    from transcript_lines where org_id = $1 and call_id = $2 having count(*) > 0`,
};
const memberById: Statement = {
  name: 'member_of_webhook',
  text: `select a.id, a.first_name as "firstName", a.last_name as "lastName", a.email, m.role
    from memberships m join accounts a on a.id = m.account_id
    where m.org_id = $1 and m.account_id = $2`,
};
const invitationById: Statement = {
  name: 'invitation_of_webhook',
  text: `select id, email, role, created_at as "createdAt", expires_at as "expiresAt",
      accepted_at as "acceptedAt"
    from invitations where org_id = $1 and id = $2`,
};

type RatingRow = Omit<Data<'call.scored'>, 'callId' | 'roomId' | 'ratedAt'> & { ratedAt: Date };

export async function findRating(tenant: Tenant, id: string) {
  const [row] = await tenant.connection(({ run }) =>
    run<RatingRow & Record<string, unknown>>(ratingById, [tenant.orgId, id]),
  );
  return row ? { ...row, ratedAt: row.ratedAt.toISOString() } : null;
}

export async function findTranscript(tenant: Tenant, id: CallId) {
  const [row] = await tenant.connection(({ run }) =>
    run<Omit<Data<'call.transcript_ready'>, 'callId' | 'roomId'>>(transcriptOfCall, [
      tenant.orgId,
      id,
    ]),
  );
  return row ?? null;
}

export async function findMember(tenant: Tenant, id: AccountId) {
  const [row] = await tenant.connection(({ run }) =>
    run<Data<'member.added'>>(memberById, [tenant.orgId, id]),
  );
  return row ?? null;
}

type InvitationRow = Omit<Data<'invitation.created'>, 'createdAt' | 'expiresAt' | 'acceptedAt'> & {
  createdAt: Date;
  expiresAt: Date;
  acceptedAt: Date | null;
};

export async function findInvitation(tenant: Tenant, id: InvitationId) {
  const [row] = await tenant.connection(({ run }) =>
    run<InvitationRow & Record<string, unknown>>(invitationById, [tenant.orgId, id]),
  );
  return row
    ? {
        ...row,
        createdAt: row.createdAt.toISOString(),
        expiresAt: row.expiresAt.toISOString(),
        acceptedAt: row.acceptedAt?.toISOString() ?? null,
      }
    : null;
}
