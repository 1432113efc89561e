import { MailPlus } from 'lucide-react';
import { useState } from 'react';
import type { Invitation, SentInvitation } from '#domain/team/contract.ts';
import { serverNow } from '#web/platform/clock.ts';
import { PagedRows } from '#web/platform/paged-rows.tsx';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { InvitationControls } from '#web/team/invitation-controls.tsx';
import { InvitationLink } from '#web/team/invitation-link.tsx';
import { usePendingInvitations } from '#web/team/queries.ts';
import { RoleBadge } from '#web/team/role-badge.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { type Column, Table } from '#web/ui/table.tsx';

const columns: Column<Invitation>[] = [
  {
    title: t('team.columns.email'),
    yields: true,
    stacked: 'line',
    cell: ({ email }) => (
      <span className="block truncate @4xl:max-w-96" title={email}>
        {email}
      </span>
    ),
  },
  { title: t('team.columns.role'), cell: ({ role }) => <RoleBadge role={role} /> },
  { title: t('team.columns.expires'), cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
];

function Expiry({ at }: { at: string }) {
  const time = formatDateTime(at);
  if (Date.parse(at) > serverNow()) return <span className="text-muted-foreground">{time}</span>;
  return <span className="text-destructive">{t('team.pending.expired', { time })}</span>;
}

/** The invitations that are not accepted yet. For admins only. */
export function PendingInvitations() {
  const [resent, setResent] = useState<SentInvitation | null>(null);
  const close = () => setResent(null);
  return (
    <Card className="min-w-0">
      <CardHeader title={t('team.pending.title')} />
      <Invitations onResent={setResent} />
      <Dialog
        open={resent !== null}
        onOpenChange={(open) => open || close()}
        title={t('team.link.title')}
        closeLabel={t('common.close')}
      >
        {resent && <InvitationLink sent={resent} onDone={close} />}
      </Dialog>
    </Card>
  );
}

function Invitations({ onResent }: { onResent: (sent: SentInvitation) => void }) {
  const controls: Column<Invitation> = {
    title: t('team.columns.actions'),
    align: 'end',
    stacked: 'end',
    cell: (invitation) => <InvitationControls invitation={invitation} onResent={onResent} />,
  };
  const none = (
    <EmptyState icon={MailPlus} title={t('team.pending.none')} text={t('team.pending.noneText')} />
  );
  return (
    <PagedRows
      pages={usePendingInvitations()}
      empty={none}
      texts={{ loadMore: t('team.loadMore'), loadingMore: t('team.loadingMore') }}
    >
      {(invitations) => (
        <Table
          label={t('team.pending.title')}
          columns={[...columns, controls]}
          rows={invitations}
          keyOf={({ id }) => id}
          stacks
        />
      )}
    </PagedRows>
  );
}
