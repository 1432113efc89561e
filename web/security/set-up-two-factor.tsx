import '#web/platform/security-texts.ts';
import { ShieldCheck } from 'lucide-react';
import { PasskeySignIn } from '#web/passkeys/passkey-sign-in.tsx';
import { t } from '#web/platform/texts.ts';
import { TwoFactor } from '#web/security/two-factor-card.tsx';
import { UserFooter } from '#web/shell/user-footer.tsx';
import { Card } from '#web/ui/card.tsx';

/** Replaces every page for a member without the second factor that the organization requires. */
export default function SetUpTwoFactor() {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <title>{`${t('security.twoFactor.title')} · ${t('product')}`}</title>
      <Card className="w-full max-w-xl">
        <div className="grid gap-5 p-6">
          <div className="grid justify-items-center gap-3 text-center">
            <span className="grid size-11 place-items-center rounded-xl bg-muted text-muted-foreground">
              <ShieldCheck aria-hidden className="size-5" />
            </span>
            <div className="grid gap-1">
              <h1 className="text-base font-semibold">{t('security.required.title')}</h1>
              <p className="text-sm text-balance text-muted-foreground">
                {t('security.required.text')}
              </p>
            </div>
          </div>
          <TwoFactor />
          <PasskeySignIn label={t('security.required.usePasskey')} />
        </div>
        <UserFooter />
      </Card>
    </main>
  );
}
