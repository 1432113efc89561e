import { ChartNoAxesCombined, ListChecks, Video } from 'lucide-react';
import { t } from '#web/platform/texts.ts';

const claims = [
  { name: 'video', icon: Video },
  { name: 'playbooks', icon: ListChecks },
  { name: 'analytics', icon: ChartNoAxesCombined },
] as const;

/** The description of the product beside the forms of the sign-in page. */
export function AuthPitch() {
  return (
    <aside className="relative order-last grid content-center overflow-hidden bg-stage px-5 py-10 text-white lg:order-first lg:px-14">
      <div className="absolute -top-40 -left-40 size-[34rem] rounded-full bg-brand opacity-35 blur-[120px]" />
      <div className="relative mx-auto w-full max-w-sm lg:mx-0 lg:max-w-md">
        <p className="text-2xl leading-tight font-semibold tracking-tight text-balance">
          {t('auth.headline')}
        </p>
        <p className="mt-3 text-white/70">{t('auth.lead')}</p>
        <ul className="mt-8 grid gap-5 lg:mt-10 lg:gap-6">
          {claims.map(({ name, icon: Icon }) => (
            <li key={name} className="flex gap-4">
              <span className="grid size-9 shrink-0 place-items-center rounded-lg bg-white/10">
                <Icon aria-hidden className="size-4.5" />
              </span>
              <div>
                <p className="text-sm font-medium">{t(`auth.claims.${name}`)}</p>
                <p className="mt-0.5 text-sm text-white/65">{t(`auth.claimTexts.${name}`)}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </aside>
  );
}
