import { type Permission, roleMay } from '#domain/auth/permissions.ts';
import { useUser } from '#web/auth/auth-provider.tsx';

/** Whether the signed-in person may do something. The server enforces it; the page only mirrors it. */
export function useMay(permission: Permission): boolean {
  const { role } = useUser();
  return role !== null && roleMay(role, permission);
}
