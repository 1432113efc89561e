import { KeyRound } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';

const SsoDialog = lazy(() =>
  import('#web/auth/sso-dialog.tsx').then((m) => ({ default: m.SsoDialog })),
);
const reasons = ['failed', 'expired', 'email', 'domain', 'account'] as const;

/** Signs in by the organization's identity provider, and shows why it redirected back here. */
export function SsoSignIn({ email }: { email: () => string }) {
  const [isOpen, setOpen] = useState(false);
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const given = query.get('sso');
  const reason = reasons.find((one) => one === given);
  const asserted = given === 'continue' ? (query.get('email') ?? '') : '';
  return (
    <>
      {reason && (
        <p role="alert" className="rounded-md bg-muted px-3 py-2.5 text-sm">
          <strong className="font-semibold">{t('auth.sso.failed')}</strong>{' '}
          {t(`auth.sso.refusals.${reason}`)}
        </p>
      )}
      {asserted !== '' && (
        <p role="status" className="rounded-md bg-muted px-3 py-2.5 text-sm">
          {t('auth.sso.continueText', { email: asserted })}
        </p>
      )}
      <Button look="outline" className="w-full" onClick={() => setOpen(true)}>
        <KeyRound aria-hidden className="size-4" />
        {t('auth.sso.open')}
      </Button>
      {isOpen && (
        <Suspense>
          <SsoDialog email={email() || asserted} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
