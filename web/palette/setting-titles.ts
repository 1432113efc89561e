import '#web/platform/administration-texts.ts';
import '#web/platform/crm-texts.ts';
import '#web/platform/embedding-texts.ts';
import '#web/platform/links-texts.ts';
import '#web/platform/payment-texts.ts';
import '#web/platform/player-texts.ts';
import '#web/platform/profile-texts.ts';
import '#web/platform/security-texts.ts';
import '#web/platform/webhook-texts.ts';
import type { TextKey } from '#web/platform/texts.ts';

/** The settings of each page of the settings, by the name that stands above or beside them there. */
export const settingTitles: Record<string, readonly TextKey[]> & {
  organization: readonly TextKey[];
} = {
  organization: [
    'settings.organization',
    'settings.name',
    'settings.brandColor',
    'settings.logo.title',
    'links.waiting.organization',
    'capture.title',
    'transcript.service.title',
    'settings.integrations.title',
    'crm.integrations.hubspot',
    'crm.integrations.salesforce',
    'crm.integrations.zapier',
  ],
  profile: [
    'profile.about',
    'profile.portrait.title',
    'profile.password.title',
    'security.twoFactor.title',
    'security.passkeys.title',
    'profile.preferences',
    'profile.language',
    'shell.theme',
    'notices.alerts.title',
    'profile.sessions.title',
    'notifications.recaps.ownTitle',
    'notifications.calendar.title',
    'profile.data.title',
  ],
  security: ['security.policy.card'],
  sso: ['sso.domains.title', 'sso.connections.title', 'sso.policy.title'],
  ai: ['assistant.settings.analyzer', 'assistant.settings.usage', 'transcript.models.title'],
  privacy: [
    'privacy.retention.title',
    'privacy.person.title',
    'privacy.processors.title',
    'privacy.storage.title',
    'privacy.cookies.title',
    'privacy.deletion.title',
  ],
  notifications: ['notifications.recaps.title', 'notifications.slack.title'],
  provisioning: ['scim.setup.title', 'scim.tokens', 'scim.groups.title'],
  embedding: ['embedding.sites', 'embedding.code.title'],
  billing: ['billing.account.title', 'billing.plans.title', 'payment.invoices.title'],
};
