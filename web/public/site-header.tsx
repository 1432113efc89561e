import { clsx } from 'clsx';
import { Menu } from 'lucide-react';
import { ButtonLink } from '#web/public/button-link.tsx';
import { pathOf, signInPath, usePage } from '#web/public/page-context.ts';
import { measure } from '#web/public/section.tsx';

function useSiteLinks() {
  const { texts, language, page } = usePage();
  const { header } = texts;
  return [
    { name: header.features, href: pathOf('features', language), here: page === 'features' },
    { name: header.pricing, href: pathOf('home', language, { hash: 'pricing' }), here: false },
    { name: header.about, href: pathOf('about', language), here: page === 'about' },
    { name: header.contact, href: pathOf('contact', language), here: page === 'contact' },
  ];
}

export function SiteHeader() {
  const { texts, language, signedIn } = usePage();
  const { header } = texts;
  return (
    <header className={clsx(measure, 'flex h-18 items-center gap-4')}>
      <a
        href={pathOf('home', language)}
        aria-label={header.home}
        className="flex items-center gap-2.5 text-lg font-semibold tracking-tight"
      >
        <img src="/icon.svg" alt="" width="28" height="28" fetchPriority="low" />
        Rapport
      </a>
      <nav aria-label={header.navigation} className="ml-6 hidden gap-1 md:flex">
        <SiteLinks />
      </nav>
      <div className="ml-auto flex items-center gap-2">
        <AccountLink className="max-[26rem]:hidden" />
        {!signedIn && (
          <ButtonLink href={pathOf('signup', language)} size="small" className="max-sm:hidden">
            {header.startTrial}
          </ButtonLink>
        )}
        <NarrowMenu />
      </div>
    </header>
  );
}

const SiteLinks = () =>
  useSiteLinks().map(({ name, href, here }) => (
    <a
      key={href}
      href={href}
      aria-current={here ? 'page' : undefined}
      className="rounded-md px-3 py-2 text-sm font-medium text-muted-foreground hover:bg-muted hover:text-foreground aria-[current]:text-foreground"
    >
      {name}
    </a>
  ));

/**
 * Links to the app for signed-in people, else to sign-in. The server decides, so the link does not
 * flicker.
 */
function AccountLink({ className }: { className?: string }) {
  const { texts, signedIn } = usePage();
  return signedIn ? (
    <ButtonLink href="/app" size="small" className={className ?? ''}>
      {texts.header.openDashboard}
    </ButtonLink>
  ) : (
    <ButtonLink href={signInPath} look="outline" size="small" className={className ?? ''}>
      {texts.header.signIn}
    </ButtonLink>
  );
}

function NarrowMenu() {
  const { texts, language, signedIn } = usePage();
  const { header } = texts;
  return (
    <>
      <button
        type="button"
        popoverTarget="menu"
        aria-label={header.menu}
        className="grid size-10 place-items-center rounded-lg border bg-card md:hidden"
      >
        <Menu aria-hidden className="size-5" />
      </button>
      <nav
        id="menu"
        popover="auto"
        aria-label={header.menu}
        className="menu w-64 rounded-xl border bg-raised p-3 text-foreground shadow-xl"
      >
        <div className="grid gap-1">
          <SiteLinks />
          <AccountLink className="mt-2" />
          {!signedIn && (
            <ButtonLink href={pathOf('signup', language)} size="small">
              {header.startTrial}
            </ButtonLink>
          )}
        </div>
      </nav>
    </>
  );
}
