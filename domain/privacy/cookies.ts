/**
 * Every cookie that we set, with its purpose. None tracks users, so no consent is needed (ePrivacy,
 * 5(3)).
 */
export const cookies = [
  { name: 'rapport_session', purpose: 'session', lasts: { days: 30 } },
  { name: 'rapport_device', purpose: 'device', lasts: { days: 400 } },
  { name: 'rapport_pending', purpose: 'pending', lasts: { minutes: 5 } },
  { name: 'rapport_sso', purpose: 'sso', lasts: { minutes: 15 } },
  { name: 'rapport_guest', purpose: 'guest', lasts: { hours: 12 } },
  { name: 'rapport_language', purpose: 'language', lasts: { days: 365 } },
  { name: 'rapport_theme', purpose: 'theme', lasts: { days: 365 } },
] as const;
