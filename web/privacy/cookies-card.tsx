import { cookies } from '#domain/privacy/cookies.ts';
import { t } from '#web/platform/texts.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';

const lastsText = (lasts: (typeof cookies)[number]['lasts']) => {
  if ('days' in lasts) return t('privacy.cookies.lasts.days', { length: lasts.days });
  if ('hours' in lasts) return t('privacy.cookies.lasts.hours', { length: lasts.hours });
  return t('privacy.cookies.lasts.minutes', { length: lasts.minutes });
};

export function CookiesCard() {
  return (
    <Card>
      <CardHeader title={t('privacy.cookies.title')} />
      <div className="grid gap-4 p-5">
        <p className="text-sm text-muted-foreground">{t('privacy.cookies.text')}</p>
        <dl className="divide-y text-sm">
          {cookies.map(({ name, purpose, lasts }) => (
            <div key={name} className="grid gap-x-4 py-2 sm:grid-cols-[1fr_auto]">
              <dt className="font-mono text-xs leading-5">{name}</dt>
              <dd className="text-muted-foreground">{lastsText(lasts)}</dd>
              <dd className="sm:col-span-2">{t(`privacy.cookies.purposes.${purpose}`)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Card>
  );
}
