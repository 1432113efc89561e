/** The code of each page, loaded when it is first shown. */
export const pages = {
  auth: () => import('#web/auth/auth-page.tsx').then((m) => ({ default: m.AuthPage })),
  dashboard: () =>
    import('#web/dashboard/dashboard-page.tsx').then((m) => ({ default: m.DashboardPage })),
  rooms: () => import('#web/rooms/rooms-page.tsx').then((m) => ({ default: m.RoomsPage })),
  room: () => import('#web/rooms/room-page.tsx').then((m) => ({ default: m.RoomPage })),
  playbooks: () =>
    import('#web/playbooks/playbooks-page.tsx').then((m) => ({ default: m.PlaybooksPage })),
  playbook: () =>
    import('#web/playbooks/playbook-page.tsx').then((m) => ({ default: m.PlaybookPage })),
  analytics: () =>
    import('#web/analytics/analytics-page.tsx').then((m) => ({ default: m.AnalyticsPage })),
  devices: () => import('#web/devices/devices-page.tsx').then((m) => ({ default: m.DevicesPage })),
  settings: () =>
    import('#web/organizations/settings-page.tsx').then((m) => ({ default: m.SettingsPage })),
  billing: () => import('#web/billing/billing-page.tsx').then((m) => ({ default: m.BillingPage })),
  profile: () => import('#web/profile/profile-page.tsx').then((m) => ({ default: m.ProfilePage })),
  team: () => import('#web/team/team-page.tsx').then((m) => ({ default: m.TeamPage })),
  privacy: () => import('#web/privacy/privacy-page.tsx').then((m) => ({ default: m.PrivacyPage })),
  aiSettings: () =>
    import('#web/ai-settings/ai-settings-page.tsx').then((m) => ({ default: m.AiSettingsPage })),
  notifications: () =>
    import('#web/notifications/notifications-page.tsx').then((m) => ({
      default: m.NotificationsPage,
    })),
  webhooks: () =>
    import('#web/webhooks/webhooks-page.tsx').then((m) => ({ default: m.WebhooksPage })),
  apiTokens: () => import('#web/api/tokens-page.tsx').then((m) => ({ default: m.TokensPage })),
  embedding: () =>
    import('#web/embedding/embedding-page.tsx').then((m) => ({ default: m.EmbeddingPage })),
  crmReturn: () =>
    import('#web/crm/crm-return-page.tsx').then((m) => ({ default: m.CrmReturnPage })),
  provisioning: () =>
    import('#web/scim/provisioning-page.tsx').then((m) => ({ default: m.ProvisioningPage })),
  sso: () => import('#web/sso/sso-page.tsx').then((m) => ({ default: m.SsoPage })),
  auditLogs: () => import('#web/audit/audit-page.tsx').then((m) => ({ default: m.AuditPage })),
  invitation: () =>
    import('#web/team/invitation-page.tsx').then((m) => ({ default: m.InvitationPage })),
  resetPassword: () =>
    import('#web/auth/reset-password-page.tsx').then((m) => ({ default: m.ResetPasswordPage })),
  security: () =>
    import('#web/security/security-page.tsx').then((m) => ({ default: m.SecurityPage })),
  verifyEmail: () =>
    import('#web/security/verify-email-page.tsx').then((m) => ({ default: m.VerifyEmailPage })),
  sharedRecording: () =>
    import('#web/shares/shared-recording-page.tsx').then((m) => ({
      default: m.SharedRecordingPage,
    })),
  search: () => import('#web/search/search-page.tsx').then((m) => ({ default: m.SearchPage })),
  callDetails: () =>
    import('#web/calls/call-details-page.tsx').then((m) => ({ default: m.CallDetailsPage })),
  call: () => import('#web/calls/call-page.tsx').then((m) => ({ default: m.CallPage })),
};
