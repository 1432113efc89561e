import auth from './auth.json';
import billing from './billing.json';
import calls from './calls.json';
import capture from './capture.json';
import common from './common.json';
import crashed from './crashed.json';
import dashboard from './dashboard.json';
import devices from './devices.json';
import forms from './forms.json';
import notFound from './not-found.json';
import notices from './notices.json';
import palette from './palette.json';
import playbooks from './playbooks.json';
import rooms from './rooms.json';
import samples from './samples.json';
import settings from './settings.json';
import shell from './shell.json';
import start from './start.json';
import team from './team.json';
import unauthorized from './unauthorized.json';

/**
 * The English texts of the app: a file for each noun. Texts of pages for admins only are in
 * administration.ts, texts about signing in are loaded with platform/security-texts.ts, those of
 * the call screen with platform/call-texts.ts, those of recordings, links, invitations, the search, and the profile with platform/player-texts.ts,
 * links-texts.ts, invitation-texts.ts, search-texts.ts, and profile-texts.ts, and the meeting page's are in meet.json.
 */
export const catalog = {
  product: 'Rapport',
  common,
  unauthorized,
  notFound,
  forms,
  palette,
  crashed,
  auth,
  shell,
  team,
  dashboard,
  settings,
  billing,
  calls,
  rooms,
  notices,
  playbooks,
  capture,
  start,
  samples,
  devices,
};
