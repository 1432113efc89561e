import type { ComponentProps } from 'react';
import type { Role } from '#domain/auth/permissions.ts';
import { t } from '#web/platform/texts.ts';
import { Select } from '#web/ui/select.tsx';

/** The roles that the forms offer (spec section 5). Only a super admin can appoint another one. */
const offered: readonly Role[] = ['AGENT', 'ORGADMIN', 'VIEWER'];

interface RoleSelectProps extends ComponentProps<'select'> {
  offersSuperAdmin?: boolean;
}

export function RoleSelect({ offersSuperAdmin = false, ...rest }: RoleSelectProps) {
  const choices = offersSuperAdmin ? [...offered, 'SUPERADMIN' as const] : offered;
  return (
    <Select {...rest}>
      {choices.map((role) => (
        <option key={role} value={role}>
          {t(`team.roles.${role}`)}
        </option>
      ))}
    </Select>
  );
}
