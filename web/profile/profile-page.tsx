import '#web/platform/profile-texts.ts';
import { AlertsCard } from '#web/notices/alerts-card.tsx';
import { CalendarCard } from '#web/notifications/calendar-card.tsx';
import { OwnRecapsCard } from '#web/notifications/own-recaps-card.tsx';
import { PasskeysCard } from '#web/passkeys/passkeys-card.tsx';
import { t } from '#web/platform/texts.ts';
import { DataCard } from '#web/profile/data-card.tsx';
import { NameForm } from '#web/profile/name-form.tsx';
import { PasswordForm } from '#web/profile/password-form.tsx';
import { PortraitField } from '#web/profile/portrait-field.tsx';
import { PreferencesCard } from '#web/profile/preferences-card.tsx';
import { SessionsCard } from '#web/profile/sessions-card.tsx';
import { TwoFactorCard } from '#web/security/two-factor-card.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

export function ProfilePage() {
  return (
    <>
      <title>{`${t('profile.title')} · ${t('product')}`}</title>
      <PageHeader title={t('profile.title')} subtitle={t('profile.subtitle')} />
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Card>
            <CardHeader title={t('profile.about')} />
            <PortraitField />
            <NameForm />
          </Card>
          <Card>
            <CardHeader title={t('profile.password.title')} />
            <PasswordForm />
          </Card>
          <TwoFactorCard />
          <PasskeysCard />
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <PreferencesCard />
          <AlertsCard />
          <OwnRecapsCard />
          <CalendarCard />
          <SessionsCard />
          <DataCard />
        </div>
      </div>
    </>
  );
}
