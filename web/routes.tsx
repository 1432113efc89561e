import { lazy, type ReactNode, Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { type AppPath, unprefixed } from '#domain/app/paths.ts';
import { publicPaths } from '#domain/public/pages.ts';
import { Guard } from '#web/auth/guard.tsx';
import { CallHost } from '#web/calls/call-host.tsx';
import { RestHost } from '#web/consent/rest-host.tsx';
import { NoticesHost } from '#web/notices/notices-host.tsx';
import { pages } from '#web/pages.ts';
import { CrashScreen } from '#web/platform/crash-screen.tsx';
import { NotFoundPage } from '#web/platform/not-found-page.tsx';
import { PrefixRedirect } from '#web/platform/prefix-redirect.tsx';
import { setPageLoaders } from '#web/platform/preload-page.ts';
import { PublicPage } from '#web/platform/public-page.tsx';
import { t } from '#web/platform/texts.ts';
import { Shell } from '#web/shell/shell.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

setPageLoaders(pages);

const AuthPage = lazy(pages.auth);
const DashboardPage = lazy(pages.dashboard);
const RoomsPage = lazy(pages.rooms);
const RoomPage = lazy(pages.room);
const PlaybooksPage = lazy(pages.playbooks);
const PlaybookPage = lazy(pages.playbook);
const CallPage = lazy(pages.call);
const CallDetailsPage = lazy(pages.callDetails);
const SearchPage = lazy(pages.search);
const AnalyticsPage = lazy(pages.analytics);
const DevicesPage = lazy(pages.devices);
const SettingsPage = lazy(pages.settings);
const BillingPage = lazy(pages.billing);
const ProfilePage = lazy(pages.profile);
const TeamPage = lazy(pages.team);
const ProvisioningPage = lazy(pages.provisioning);
const AuditPage = lazy(pages.auditLogs);
const PrivacyPage = lazy(pages.privacy);
const AiSettingsPage = lazy(pages.aiSettings);
const NotificationsPage = lazy(pages.notifications);
const WebhooksPage = lazy(pages.webhooks);
const ApiTokensPage = lazy(pages.apiTokens);
const EmbeddingPage = lazy(pages.embedding);
const CrmReturnPage = lazy(pages.crmReturn);
const SsoPage = lazy(pages.sso);
const InvitationPage = lazy(pages.invitation);
const ResetPasswordPage = lazy(pages.resetPassword);
const SecurityPage = lazy(pages.security);
const VerifyEmailPage = lazy(pages.verifyEmail);
const SharedRecordingPage = lazy(pages.sharedRecording);
const SettingsFrame = lazy(() =>
  import('#web/organizations/settings-frame.tsx').then((m) => ({ default: m.SettingsFrame })),
);

function Waiting({ children }: { children: ReactNode }) {
  return (
    <CrashScreen>
      <Suspense fallback={<Spinner label={t('common.loading')} />}>{children}</Suspense>
    </CrashScreen>
  );
}

interface InShell {
  full?: boolean;
  /** The text of a toast for signed-out people. */
  signedOutText?: string;
}

/** A page for signed-in people, in the shell. */
const inShell = (page: ReactNode, { full = false, signedOutText }: InShell = {}) => (
  <Guard signedOutText={signedOutText}>
    <Shell full={full}>
      <Waiting>{page}</Waiting>
    </Shell>
  </Guard>
);

/** A page of the settings, with the links to the others beside it. */
const inSettings = (page: ReactNode, options?: InShell) =>
  inShell(
    <SettingsFrame>
      <Waiting>{page}</Waiting>
    </SettingsFrame>,
    options,
  );

/** The pages, and above them the notices and the call, which continue from one page to the next. */
export function App() {
  return (
    <>
      <NoticesHost />
      <RestHost />
      <AppRoutes />
      <CallHost />
    </>
  );
}

/** What each path of the app shows. */
const screens = (): Record<AppPath, ReactNode> => ({
  '/auth': <Waiting>{<AuthPage />}</Waiting>,
  '/invite/:token': <Waiting>{<InvitationPage />}</Waiting>,
  '/reset-password/:token': <Waiting>{<ResetPasswordPage />}</Waiting>,
  '/verify-email/:token': <Waiting>{<VerifyEmailPage />}</Waiting>,
  '/shared/:token': <Waiting>{<SharedRecordingPage />}</Waiting>,
  '/app': inShell(<DashboardPage />),
  '/app/dashboard': inShell(<DashboardPage />),
  '/app/rooms': inShell(<RoomsPage />),
  '/app/rooms/:id': inShell(<RoomPage />),
  '/app/rooms/:id/call': inShell(<CallPage />, { full: true }),
  '/app/calls/:id': inShell(<CallDetailsPage />),
  '/app/search': inShell(<SearchPage />),
  '/app/playbooks': inShell(<PlaybooksPage />),
  '/app/playbooks/:id': inShell(<PlaybookPage />),
  '/app/analytics': inShell(<AnalyticsPage />),
  '/app/devices': inShell(<DevicesPage />),
  '/app/settings': inSettings(<SettingsPage />),
  '/app/settings/profile': inSettings(<ProfilePage />),
  '/app/settings/billing': inSettings(<BillingPage />, {
    signedOutText: t('billing.unauthorized'),
  }),
  '/app/settings/security': inSettings(<SecurityPage />),
  '/app/settings/team': inShell(<TeamPage />),
  '/app/settings/provisioning': inSettings(<ProvisioningPage />),
  '/app/settings/sso': inSettings(<SsoPage />),
  '/app/settings/audit-logs': inShell(<AuditPage />),
  '/app/settings/privacy': inSettings(<PrivacyPage />),
  '/app/settings/ai': inSettings(<AiSettingsPage />),
  '/app/settings/webhooks': inSettings(<WebhooksPage />),
  '/app/settings/api': inSettings(<ApiTokensPage />),
  '/app/settings/embedding': inSettings(<EmbeddingPage />),
  '/app/settings/crm/:vendor': inSettings(<CrmReturnPage />),
  '/app/settings/notifications': inSettings(<NotificationsPage />),
});

export function AppRoutes() {
  return (
    <Routes>
      {Object.values(publicPaths).map((path) => (
        <Route key={path} path={path} element={<PublicPage />} />
      ))}
      {Object.entries(screens()).map(([path, screen]) => (
        <Route key={path} path={path} element={screen} />
      ))}
      {unprefixed.map((path) => (
        <Route key={path} path={`${path}/*`} element={<PrefixRedirect />} />
      ))}
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
