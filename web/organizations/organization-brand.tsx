import { useEffect } from 'react';
import type { OrgId } from '#domain/ids.ts';
import { applyBrand } from '#web/organizations/brand.ts';
import { useOrganization } from '#web/organizations/queries.ts';

/** Gives the page the colour of the organisation. */
export function OrganizationBrand({ orgId }: { orgId: OrgId }) {
  const color = useOrganization(orgId)?.brandColor;
  useEffect(() => {
    if (color) applyBrand(color, document.documentElement.style);
  }, [color]);
  return null;
}
