import { useEffect } from 'react';
import type { OrgId } from '#domain/ids.ts';
import { applyBrand } from '#web/meet/brand.ts';
import { useOrganization } from '#web/organizations/queries.ts';

/** Sets the organization's color on the page. */
export function OrganizationBrand({ orgId }: { orgId: OrgId }) {
  const color = useOrganization(orgId)?.brandColor;
  useEffect(() => {
    if (color) applyBrand(document.documentElement, color);
  }, [color]);
  return null;
}
