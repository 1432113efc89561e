/** Every cookie that we set, and what for. None follows anybody: no consent is needed (ePrivacy, 5(3)). */
export const cookies = [
  { name: 'rapport_session', purpose: 'session', days: 30 },
  { name: 'rapport_device', purpose: 'device', days: 400 },
  { name: 'rapport_language', purpose: 'language', days: 365 },
  { name: 'rapport_theme', purpose: 'theme', days: 365 },
] as const;
