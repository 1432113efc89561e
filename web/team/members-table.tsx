import { useState } from 'react';
import type { User } from '#domain/auth/contract.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { initialsOf, nameOf } from '#web/auth/person.ts';
import { useMay } from '#web/auth/use-may.ts';
import { t } from '#web/platform/texts.ts';
import { MemberControls } from '#web/team/member-controls.tsx';
import { RemoveMemberDialog } from '#web/team/remove-member-dialog.tsx';
import { RoleBadge } from '#web/team/role-badge.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { type Column, Table } from '#web/ui/table.tsx';

const columnsFor = (self: User): Column<User>[] => [
  {
    title: t('team.columns.name'),
    stacked: 'line',
    cell: (member) => (
      <span className="flex items-center gap-3 font-medium">
        <Avatar
          name={nameOf(member)}
          initials={initialsOf(member)}
          imageUrl={member.profileImageUrl}
        />
        <span className="max-w-48 truncate @4xl:max-w-80" title={nameOf(member)}>
          {nameOf(member)}
        </span>
        {member.id === self.id && (
          <span className="text-xs font-normal text-muted-foreground">{t('team.you')}</span>
        )}
      </span>
    ),
  },
  {
    title: t('team.columns.email'),
    yields: true,
    stacked: 'line',
    cell: ({ email }) => (
      <span className="block truncate @4xl:max-w-80 text-muted-foreground" title={email}>
        {email}
      </span>
    ),
  },
  { title: t('team.columns.role'), cell: ({ role }) => role && <RoleBadge role={role} /> },
];

/** All members see the list; only admins have controls, and not in their own row. */
export function MembersTable({ members }: { members: readonly User[] }) {
  const self = useUser();
  const manages = useMay('team.manage');
  const [removing, setRemoving] = useState<User | null>(null);
  const controls: Column<User> = {
    title: t('team.columns.actions'),
    align: 'end',
    stacked: 'end',
    cell: (member) =>
      member.id !== self.id && (
        <MemberControls member={member} onRemove={() => setRemoving(member)} />
      ),
  };
  const columns = columnsFor(self);
  return (
    <>
      <Table
        label={t('team.members')}
        columns={manages ? [...columns, controls] : columns}
        rows={members}
        keyOf={({ id }) => id}
        stacks
      />
      <RemoveMemberDialog member={removing} onClose={() => setRemoving(null)} />
    </>
  );
}
