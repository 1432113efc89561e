import { useEffect } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { withEmail } from '#web/auth/known-email.ts';
import { signInToApp } from '#web/auth/next-path.ts';
import { PublicCard } from '#web/auth/public-card.tsx';
import { useResetPassword } from '#web/auth/queries.ts';
import { ResetPasswordForm } from '#web/auth/reset-password-form.tsx';
import { t } from '#web/platform/texts.ts';

/** Spec section 9. */
export const redirectDelayMs = 2000;

export function ResetPasswordPage() {
  const { token = '' } = useParams();
  const reset = useResetPassword(token);
  if (reset.data) return <ResetDone email={reset.data.email} />;
  return (
    <PublicCard title={t('auth.reset.title')} text={t('auth.reset.text')}>
      <ResetPasswordForm reset={reset} />
      <BackToLogin />
    </PublicCard>
  );
}

function ResetDone({ email }: { email: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    const go = () => navigate(signInToApp, { replace: true, ...withEmail(email) });
    const timer = setTimeout(go, redirectDelayMs);
    return () => clearTimeout(timer);
  }, [navigate, email]);
  return (
    <PublicCard title={t('auth.reset.done')} text={t('auth.reset.doneText')}>
      <BackToLogin email={email} />
    </PublicCard>
  );
}

function BackToLogin({ email }: { email?: string }) {
  return (
    <p className="mt-5 text-center text-sm">
      <Link
        to={signInToApp}
        {...(email ? withEmail(email) : {})}
        className="rounded underline underline-offset-4"
      >
        {t('auth.reset.back')}
      </Link>
    </p>
  );
}
