import { LogOut, Trash2 } from 'lucide-react';
import type { User } from '#domain/auth/contract.ts';
import { roles } from '#domain/auth/permissions.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { t } from '#web/platform/texts.ts';
import { useChangeRole, useSignOutMember } from '#web/team/queries.ts';
import { RoleSelect } from '#web/team/role-select.tsx';
import { Button } from '#web/ui/button.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';

interface MemberControlsProps {
  member: User;
  onRemove: () => void;
}

/** An admin's controls for another member. An organization admin cannot change a super admin. */
export function MemberControls({ member, onRemove }: MemberControlsProps) {
  const isSuperAdmin = useUser().role === 'SUPERADMIN';
  const { mutate, isPending, variables } = useChangeRole();
  const signOut = useSignOutMember();
  const { id, email, role } = member;
  if (role === null || (role === 'SUPERADMIN' && !isSuperAdmin)) return null;
  return (
    <div className="flex items-center justify-end gap-1">
      <RoleSelect
        aria-label={t('team.roleOf', { email })}
        offersSuperAdmin={isSuperAdmin}
        value={isPending ? variables.role : role}
        disabled={isPending}
        onChange={({ target }) => {
          const chosen = roles.find((each) => each === target.value);
          if (chosen) mutate({ id, role: chosen });
        }}
      />
      <Tooltip text={t('team.signOut', { email })}>
        <Button
          look="ghost"
          size="icon"
          aria-label={t('team.signOut', { email })}
          disabled={signOut.isPending}
          onClick={() => signOut.mutate(member)}
        >
          <LogOut aria-hidden className="size-4" />
        </Button>
      </Tooltip>
      <Tooltip text={t('team.remove', { email })}>
        <Button
          look="ghost"
          size="icon"
          aria-label={t('team.remove', { email })}
          onClick={onRemove}
        >
          <Trash2 aria-hidden className="size-4" />
        </Button>
      </Tooltip>
    </div>
  );
}
