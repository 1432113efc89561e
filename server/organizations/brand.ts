import type { FileId } from '#domain/ids.ts';
import type { OrganizationBrand } from '#domain/organizations/contract.ts';
import { logoPath } from '#domain/organizations/logo.ts';
import { organizations } from './tables.ts';

/** The columns for queries whose result shows the organization's brand. */
export const brandColumns = {
  name: organizations.name,
  brandColor: organizations.brandColor,
  logoFileId: organizations.logoFileId,
};

export const brandOf = (row: {
  name: string;
  brandColor: string;
  logoFileId: FileId | null;
}): OrganizationBrand => ({
  name: row.name,
  brandColor: row.brandColor,
  logoUrl: row.logoFileId && logoPath(row.logoFileId),
});
