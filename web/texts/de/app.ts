import ai from './ai.json';
import analytics from './analytics.json';
import api from './api.json';
import assistant from './assistant.json';
import audit from './audit.json';
import auth from './auth.json';
import billing from './billing.json';
import call from './call.json';
import calls from './calls.json';
import capture from './capture.json';
import common from './common.json';
import crashed from './crashed.json';
import crm from './crm.json';
import dashboard from './dashboard.json';
import devices from './devices.json';
import embedding from './embedding.json';
import forms from './forms.json';
import invitation from './invitation.json';
import links from './links.json';
import notFound from './not-found.json';
import notices from './notices.json';
import notifications from './notifications.json';
import palette from './palette.json';
import payment from './payment.json';
import playbooks from './playbooks.json';
import player from './player.json';
import privacy from './privacy.json';
import profile from './profile.json';
import refusalTexts from './refusals.json';
import rooms from './rooms.json';
import samples from './samples.json';
import scim from './scim.json';
import search from './search.json';
import security from './security.json';
import settings from './settings.json';
import shell from './shell.json';
import sso from './sso.json';
import start from './start.json';
import team from './team.json';
import transcript from './transcript.json';
import unauthorized from './unauthorized.json';
import validationTexts from './validation.json';
import webhooks from './webhooks.json';

/** Every German text of the app, under the keys of the English ones. */
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
  privacy,
  profile,
  search,
  security,
  team,
  invitation,
  audit,
  dashboard,
  analytics,
  scim,
  settings,
  sso,
  billing,
  calls,
  rooms,
  links,
  notices,
  notifications,
  playbooks,
  payment,
  player,
  call,
  capture,
  ai,
  assistant,
  start,
  samples,
  transcript,
  crm,
  webhooks,
  api,
  embedding,
  devices,
};

/** The server's refusals by their `code`; a missing one is shown in English. */
export const refusals: Record<string, string> = refusalTexts;

/** The contracts' messages about fields, by the English ones. */
export const validation: Record<string, string> = validationTexts;
