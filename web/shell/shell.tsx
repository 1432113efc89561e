import { clsx } from 'clsx';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useUser } from '#web/auth/auth-provider.tsx';
import { OrganizationBrand } from '#web/organizations/organization-brand.tsx';
import { PaletteHost } from '#web/palette/palette-host.tsx';
import { t } from '#web/platform/texts.ts';
import { Drawer } from '#web/shell/drawer.tsx';
import { OfflineBanner } from '#web/shell/offline-banner.tsx';
import { ShellMenuContext } from '#web/shell/shell-menu.tsx';
import { Sidebar } from '#web/shell/sidebar.tsx';
import { TopBar } from '#web/shell/top-bar.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

// Rarely used, and its form is as large as a page.
const SetUpTwoFactor = lazy(() => import('#web/security/set-up-two-factor.tsx'));
const VerifyBanner = lazy(() => import('#web/security/verify-banner.tsx'));
const TrialBanner = lazy(() => import('#web/billing/trial-banner.tsx'));
const NoOrganization = lazy(() => import('#web/shell/no-organization.tsx'));

/** Written into the page by the server where a card provider is set up. */
const hasTrials = document.querySelector('meta[name=trials]') !== null;

interface ShellProps {
  /** A full page uses the whole window: its header opens the menu as a drawer at any width. */
  full?: boolean;
  children: ReactNode;
}

/** The layout of every signed-in page: a sidebar, or a drawer on narrow screens, and the content. */
export function Shell({ full = false, children }: ShellProps) {
  const { orgId, mustSetUpTwoFactor, mustVerifyEmail } = useUser();
  const [menuOpen, setMenuOpen] = useState(false);
  if (orgId === null) {
    return (
      <Suspense fallback={<Spinner label={t('common.loading')} />}>
        <NoOrganization />
      </Suspense>
    );
  }
  if (mustSetUpTwoFactor) {
    return (
      <Suspense fallback={<Spinner label={t('common.loading')} />}>
        <SetUpTwoFactor />
      </Suspense>
    );
  }
  const close = () => setMenuOpen(false);
  return (
    <PaletteHost>
      <ShellMenuContext value={() => setMenuOpen(true)}>
        <OrganizationBrand orgId={orgId} />
        <a
          href="#content"
          className="sr-only z-50 rounded-md bg-raised px-3 py-2 text-sm focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          {t('common.skipToContent')}
        </a>
        <Drawer open={menuOpen} onClose={close}>
          <Sidebar orgId={orgId} onNavigate={close} />
        </Drawer>
        <div className={clsx('min-h-dvh print:min-h-0', !full && 'md:pl-60 print:pl-0')}>
          {!full && (
            <>
              <aside className="fixed inset-y-0 left-0 hidden w-60 border-r md:block print:hidden">
                <Sidebar orgId={orgId} onNavigate={close} />
              </aside>
              <TopBar orgId={orgId} />
            </>
          )}
          <main
            id="content"
            tabIndex={-1}
            className={clsx(
              'outline-none',
              !full && 'mx-auto max-w-6xl px-4 py-6 md:px-8 md:py-8 print:max-w-none print:p-0',
            )}
          >
            {!full && <OfflineBanner />}
            {mustVerifyEmail && !full && (
              <Suspense>
                <VerifyBanner />
              </Suspense>
            )}
            {!full && hasTrials && (
              <Suspense>
                <TrialBanner />
              </Suspense>
            )}
            {children}
          </main>
        </div>
      </ShellMenuContext>
    </PaletteHost>
  );
}
