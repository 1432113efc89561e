import { useEffect } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { PublicCard } from '#web/auth/public-card.tsx';
import { useResetPassword } from '#web/auth/queries.ts';
import { ResetPasswordForm } from '#web/auth/reset-password-form.tsx';
import { t } from '#web/platform/texts.ts';

/** Spec section 9. */
export const redirectDelayMs = 2000;

export function ResetPasswordPage() {
  const { token = '' } = useParams();
  const reset = useResetPassword(token);
  if (reset.isSuccess) return <ResetDone />;
  return (
    <PublicCard title={t('auth.reset.title')} text={t('auth.reset.text')}>
      <ResetPasswordForm reset={reset} />
      <BackToLogin />
    </PublicCard>
  );
}

function ResetDone() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => navigate('/auth?next=/app', { replace: true }), redirectDelayMs);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <PublicCard title={t('auth.reset.done')} text={t('auth.reset.doneText')}>
      <BackToLogin />
    </PublicCard>
  );
}

function BackToLogin() {
  return (
    <p className="mt-5 text-center text-sm">
      <Link to="/auth" className="rounded underline underline-offset-4">
        {t('auth.reset.back')}
      </Link>
    </p>
  );
}
