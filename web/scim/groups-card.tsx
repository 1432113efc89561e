import { Users } from 'lucide-react';
import type { ScimGroup } from '#domain/scim/contract.ts';
import { groupRoles } from '#domain/scim/roles.ts';
import { PagedRows } from '#web/platform/paged-rows.tsx';
import { t } from '#web/platform/texts.ts';
import { useScimGroups, useSetGroupRole } from '#web/scim/queries.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Select } from '#web/ui/select.tsx';
import { type Column, Table } from '#web/ui/table.tsx';

const columns: Column<ScimGroup>[] = [
  {
    title: t('scim.columns.group'),
    yields: true,
    stacked: 'line',
    cell: ({ displayName }) => (
      <span className="block truncate font-medium @4xl:max-w-96" title={displayName}>
        {displayName}
      </span>
    ),
  },
  {
    title: t('scim.columns.people'),
    cell: ({ memberCount }) => (
      <span className="tabular-nums text-muted-foreground">{memberCount}</span>
    ),
  },
  {
    title: t('scim.columns.role'),
    align: 'end',
    stacked: 'line',
    cell: (group) => <GroupRoleSelect group={group} />,
  },
];

/** The groups of the directory, and the roles that their members get. */
export function GroupsCard() {
  return (
    <Card className="min-w-0">
      <CardHeader title={t('scim.groups.title')} />
      <p className="border-b px-5 py-3 text-sm text-muted-foreground">{t('scim.groups.text')}</p>
      <Groups />
    </Card>
  );
}

function Groups() {
  const none = (
    <EmptyState icon={Users} title={t('scim.groups.none')} text={t('scim.groups.noneText')} />
  );
  return (
    <PagedRows
      pages={useScimGroups()}
      empty={none}
      texts={{ loadMore: t('scim.loadMore'), loadingMore: t('common.loading') }}
    >
      {(groups) => (
        <Table
          label={t('scim.groups.title')}
          columns={columns}
          rows={groups}
          keyOf={({ id }) => id}
          stacks
        />
      )}
    </PagedRows>
  );
}

function GroupRoleSelect({ group }: { group: ScimGroup }) {
  const { mutate, isPending, variables } = useSetGroupRole();
  const role = isPending ? variables.role : group.role;
  return (
    <div className="ml-auto w-full min-w-40 text-left @4xl:w-48">
      <Select
        aria-label={t('scim.groups.roleOf', { name: group.displayName })}
        value={role ?? ''}
        disabled={isPending}
        onChange={({ target }) =>
          mutate({ id: group.id, role: groupRoles.find((each) => each === target.value) ?? null })
        }
      >
        <option value="">{t('scim.groups.noRole')}</option>
        {groupRoles.map((each) => (
          <option key={each} value={each}>
            {t(`team.roles.${each}`)}
          </option>
        ))}
      </Select>
    </div>
  );
}
