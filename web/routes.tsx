import { lazy, type ReactNode, Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { publicPaths } from '#domain/public/pages.ts';
import { Guard } from '#web/auth/guard.tsx';
import { CallHost } from '#web/calls/call-host.tsx';
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
const PlaybooksPage = lazy(pages.playbooks);
const CallPage = lazy(pages.call);
const CallDetailsPage = lazy(pages.callDetails);
const AnalyticsPage = lazy(pages.analytics);
const SettingsPage = lazy(pages.settings);
const BillingPage = lazy(pages.billing);
const ProfilePage = lazy(pages.profile);
const TeamPage = lazy(pages.team);
const ProvisioningPage = lazy(pages.provisioning);
const AuditPage = lazy(pages.auditLogs);
const PrivacyPage = lazy(pages.privacy);
const SsoPage = lazy(pages.sso);
const InvitationPage = lazy(pages.invitation);
const ResetPasswordPage = lazy(pages.resetPassword);
const SecurityPage = lazy(pages.security);
const VerifyEmailPage = lazy(pages.verifyEmail);

const unprefixed = ['dashboard', 'rooms', 'playbooks', 'analytics', 'settings'] as const;

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

/** The pages, and above them the call, which continues from one page to the next. */
export function App() {
  return (
    <>
      <AppRoutes />
      <CallHost />
    </>
  );
}

export function AppRoutes() {
  return (
    <Routes>
      {Object.values(publicPaths).map((path) => (
        <Route key={path} path={path} element={<PublicPage />} />
      ))}
      <Route path="auth" element={<Waiting>{<AuthPage />}</Waiting>} />
      <Route path="invite/:token" element={<Waiting>{<InvitationPage />}</Waiting>} />
      <Route path="reset-password/:token" element={<Waiting>{<ResetPasswordPage />}</Waiting>} />
      <Route path="verify-email/:token" element={<Waiting>{<VerifyEmailPage />}</Waiting>} />
      <Route path="app">
        <Route index element={inShell(<DashboardPage />)} />
        <Route path="dashboard" element={inShell(<DashboardPage />)} />
        <Route path="rooms" element={inShell(<RoomsPage />)} />
        <Route path="rooms/:id/call" element={inShell(<CallPage />, { full: true })} />
        <Route path="calls/:id" element={inShell(<CallDetailsPage />)} />
        <Route path="playbooks" element={inShell(<PlaybooksPage />)} />
        <Route path="analytics" element={inShell(<AnalyticsPage />)} />
        <Route path="settings" element={inShell(<SettingsPage />)} />
        <Route path="settings/profile" element={inShell(<ProfilePage />)} />
        <Route
          path="settings/billing"
          element={inShell(<BillingPage />, { signedOutText: t('billing.unauthorized') })}
        />
        <Route path="settings/security" element={inShell(<SecurityPage />)} />
        <Route path="settings/team" element={inShell(<TeamPage />)} />
        <Route path="settings/provisioning" element={inShell(<ProvisioningPage />)} />
        <Route path="settings/sso" element={inShell(<SsoPage />)} />
        <Route path="settings/audit-logs" element={inShell(<AuditPage />)} />
        <Route path="settings/privacy" element={inShell(<PrivacyPage />)} />
      </Route>
      {unprefixed.map((path) => (
        <Route key={path} path={`${path}/*`} element={<PrefixRedirect />} />
      ))}
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
