import '#web/platform/security-texts.ts';
import { MailCheck } from 'lucide-react';
import { useUser } from '#web/auth/auth-provider.tsx';
import { t } from '#web/platform/texts.ts';
import { useResendVerification } from '#web/security/queries.ts';
import { Button } from '#web/ui/button.tsx';

/** Shown until the address is verified: what to do, and a button for another email. */
export default function VerifyBanner() {
  const { email } = useUser();
  const { mutate, isPending, isSuccess } = useResendVerification();
  return (
    <div
      role="status"
      className="mb-6 flex flex-wrap items-center gap-3 rounded-lg border bg-card px-4 py-3 text-sm print:hidden"
    >
      <MailCheck aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <p className="min-w-48 flex-1">{t('security.verify.banner', { email })}</p>
      <Button
        look="outline"
        size="small"
        disabled={isPending || isSuccess}
        onClick={() => mutate()}
      >
        {isSuccess ? t('security.verify.sent') : t('security.verify.resend')}
      </Button>
    </div>
  );
}
