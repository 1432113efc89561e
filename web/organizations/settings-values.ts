import type { Organization } from '#domain/organizations/contract.ts';

export type SettingsValues = Pick<Organization, 'name' | 'brandColor' | 'plan'>;
