import { Navigate, useLocation } from 'react-router';
import { AuthPitch } from '#web/auth/auth-pitch.tsx';
import { useAuth } from '#web/auth/auth-provider.tsx';
import { CreateAccountForm } from '#web/auth/create-account-form.tsx';
import { nextPath } from '#web/auth/next-path.ts';
import { SignInForm } from '#web/auth/sign-in-form.tsx';
import { t } from '#web/platform/texts.ts';
import { LegalLinks } from '#web/ui/legal-links.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

const tabs = [
  { value: 'login', title: t('auth.tabs.login'), panel: <SignInForm /> },
  { value: 'register', title: t('auth.tabs.register'), panel: <CreateAccountForm /> },
] as const;

/** The trial page links here to create an account. */
const asksToRegister = (search: string) => new URLSearchParams(search).get('tab') === 'register';

export function AuthPage() {
  const auth = useAuth();
  const { search } = useLocation();
  if (auth.status === 'signed-in')
    return <Navigate to={nextPath(search, window.location.origin) ?? '/'} replace />;
  return (
    <div className="grid min-h-dvh lg:grid-cols-2">
      <title>{`${t('auth.title')} · ${t('product')}`}</title>
      <AuthPitch />
      <main className="grid content-center justify-items-center px-5 py-10">
        <div className="w-full max-w-sm">
          <h1 className="mb-6 w-fit text-base font-semibold tracking-tight">
            <a href="/" className="flex items-center gap-2.5 rounded">
              <img src="/icon.svg" alt="" className="size-7" />
              {t('product')}
            </a>
          </h1>
          <Tabs
            label={t('auth.title')}
            tabs={tabs}
            first={asksToRegister(search) ? 'register' : 'login'}
            panelClassName="pt-6 outline-offset-8"
          />
          <LegalLinks
            privacy={t('auth.privacy')}
            terms={t('auth.terms')}
            className="mt-8 flex justify-center gap-5 text-sm text-muted-foreground *:hover:text-foreground *:hover:underline"
          />
        </div>
      </main>
    </div>
  );
}
