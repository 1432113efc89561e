/** The paths of the app's pages, with `:name` for parameters. The server answers other paths with 404. */
export const appPaths = [
  '/auth',
  '/invite/:token',
  '/reset-password/:token',
  '/verify-email/:token',
  '/shared/:token',
  '/app',
  '/app/dashboard',
  '/app/rooms',
  '/app/rooms/:id',
  '/app/rooms/:id/call',
  '/app/calls/:id',
  '/app/search',
  '/app/playbooks',
  '/app/playbooks/:id',
  '/app/analytics',
  '/app/devices',
  '/app/settings',
  '/app/settings/profile',
  '/app/settings/billing',
  '/app/settings/security',
  '/app/settings/team',
  '/app/settings/provisioning',
  '/app/settings/sso',
  '/app/settings/audit-logs',
  '/app/settings/privacy',
  '/app/settings/ai',
  '/app/settings/webhooks',
  '/app/settings/api',
  '/app/settings/embedding',
  '/app/settings/crm/:vendor',
  '/app/settings/notifications',
] as const;
export type AppPath = (typeof appPaths)[number];

/** Sections that are redirected to `/app` when the address lacks it (spec section 2). */
export const unprefixed = ['dashboard', 'rooms', 'playbooks', 'analytics', 'settings'] as const;

const patterns = appPaths.map((path) => {
  const section = /^\/app\/(\w+)/.exec(path)?.[1] ?? '';
  const mayLackApp = (unprefixed as readonly string[]).includes(section);
  const source = path.replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${mayLackApp ? source.replace('/app', '(?:/app)?') : source}/?$`);
});

/** Whether the app has a page at this path, perhaps after a redirect to `/app`. */
export const isAppPath = (path: string): boolean => patterns.some((pattern) => pattern.test(path));
