/** What a token may be used for, within the permissions of its person or of the organization. */
export const apiScopes = [
  'rooms:read',
  'rooms:write',
  'rooms:embed',
  'calls:read',
  'calls:write',
  'playbooks:read',
  'playbooks:write',
  'team:read',
  'analytics:read',
  'webhooks:write',
] as const;
export type ApiScope = (typeof apiScopes)[number];

/** Only the organization itself vouches for the users of another product. */
export const organizationScopes = ['rooms:embed'] as const satisfies readonly ApiScope[];

export const isPersonalScope = (scope: ApiScope): boolean =>
  !organizationScopes.some((one) => one === scope);
