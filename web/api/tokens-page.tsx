import type { publicPaths } from '#domain/public/pages.ts';
import '#web/platform/api-texts.ts';
import { OrganizationTokensCard } from '#web/api/organization-tokens-card.tsx';
import { PersonalTokensCard } from '#web/api/personal-tokens-card.tsx';
import { useMay } from '#web/auth/use-may.ts';
import { t } from '#web/platform/texts.ts';
import { ConfirmSelf } from '#web/security/confirm-dialog.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

/** As a type: the value would share a file with the dashboard, which has no byte to spare. */
const reference: (typeof publicPaths)['api'] = '/docs/api';

/** The API tokens of a person, and for admins those of the organization. */
export function TokensPage() {
  const manages = useMay('api_tokens.manage');
  return (
    <>
      <title>{`${t('api.title')} · ${t('product')}`}</title>
      <PageHeader
        title={t('api.title')}
        subtitle={t('api.subtitle')}
        action={
          <a href={reference} className={buttonClass({ look: 'outline' })}>
            {t('api.reference')}
          </a>
        }
      />
      <div className="grid grid-cols-1 gap-6">
        <PersonalTokensCard />
        {manages && <OrganizationTokensCard />}
      </div>
      <ConfirmSelf />
    </>
  );
}
