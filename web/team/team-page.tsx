import { useMay } from '#web/auth/use-may.ts';
import { PagedRows } from '#web/platform/paged-rows.tsx';
import { t } from '#web/platform/texts.ts';
import { InviteButton } from '#web/team/invite-button.tsx';
import { MembersTable } from '#web/team/members-table.tsx';
import { PendingInvitations } from '#web/team/pending-invitations.tsx';
import { useMembers } from '#web/team/queries.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';

export function TeamPage() {
  const manages = useMay('team.manage');
  return (
    <>
      <title>{`${t('team.title')} · ${t('product')}`}</title>
      <PageHeader
        title={t('team.title')}
        subtitle={t('team.subtitle')}
        action={manages && <InviteButton />}
      />
      <div className="grid gap-6">
        <Card className="min-w-0">
          <CardHeader title={t('team.members')} />
          <Members />
        </Card>
        {manages && <PendingInvitations />}
      </div>
    </>
  );
}

function Members() {
  return (
    <PagedRows
      pages={useMembers()}
      loading={<RowsSkeleton rows={4} />}
      empty={null}
      texts={{ loadMore: t('team.loadMore'), loadingMore: t('team.loadingMore') }}
    >
      {(members) => <MembersTable members={members} />}
    </PagedRows>
  );
}
