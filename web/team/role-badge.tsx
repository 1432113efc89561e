import type { Role } from '#domain/auth/permissions.ts';
import { t } from '#web/platform/texts.ts';
import { Badge, type BadgeLook } from '#web/ui/badge.tsx';

/** Spec section 6. */
const looks: Record<Role, BadgeLook> = {
  SUPERADMIN: 'destructive',
  ORGADMIN: 'default',
  AGENT: 'secondary',
  VIEWER: 'outline',
};

export function RoleBadge({ role }: { role: Role }) {
  return <Badge look={looks[role]}>{t(`team.roles.${role}`)}</Badge>;
}
