/** The code of each page, loaded when it is first shown. */
export const pages = {
  auth: () => import('#web/auth/auth-page.tsx').then((m) => ({ default: m.AuthPage })),
  dashboard: () =>
    import('#web/dashboard/dashboard-page.tsx').then((m) => ({ default: m.DashboardPage })),
  rooms: () => import('#web/rooms/rooms-page.tsx').then((m) => ({ default: m.RoomsPage })),
  playbooks: () =>
    import('#web/playbooks/playbooks-page.tsx').then((m) => ({ default: m.PlaybooksPage })),
  call: () => import('#web/calls/call-page.tsx').then((m) => ({ default: m.CallPage })),
};

export const isCallPath = (path: string) => /^\/app\/rooms\/[^/]+\/call\/?$/.test(path);
