import { clsx } from 'clsx';
import { languages } from '#domain/languages.ts';
import { pathOf, signInPath, textsOf, usePage } from '#web/public/page-context.ts';
import { measure } from '#web/public/section.tsx';

export function SiteFooter() {
  const { texts, language, signedIn, privacyUrl, termsUrl } = usePage();
  const { header, footer } = texts;
  const columns = [
    {
      title: footer.product,
      links: [
        { name: header.features, href: pathOf('features', language) },
        { name: header.pricing, href: pathOf('home', language, { hash: 'pricing' }) },
        { name: footer.signup, href: pathOf('signup', language) },
        { name: footer.api, href: pathOf('api', language) },
      ],
    },
    {
      title: footer.company,
      links: [
        { name: header.about, href: pathOf('about', language) },
        { name: header.contact, href: pathOf('contact', language) },
        ...(privacyUrl ? [{ name: footer.privacy, href: privacyUrl }] : []),
        ...(termsUrl ? [{ name: footer.terms, href: termsUrl }] : []),
      ],
    },
    {
      title: footer.account,
      links: [
        signedIn
          ? { name: header.openDashboard, href: '/app' }
          : { name: header.signIn, href: signInPath },
      ],
    },
  ];
  return (
    <footer className="border-t bg-card">
      <div className={clsx(measure, 'grid gap-10 py-14 md:grid-cols-[minmax(0,2fr)_3fr]')}>
        <div>
          <p className="flex items-center gap-2.5 text-lg font-semibold tracking-tight">
            <img src="/icon.svg" alt="" width="28" height="28" fetchPriority="low" />
            Rapport
          </p>
          <p className="mt-3 max-w-xs text-sm text-muted-foreground">{footer.line}</p>
          <LanguageSwitch />
        </div>
        <nav
          aria-label={footer.navigation}
          className="grid grid-cols-2 gap-8 hyphens-auto wrap-anywhere sm:grid-cols-3 md:justify-items-end"
        >
          {columns.map(({ title, links }) => (
            <div key={title}>
              <p className="text-sm font-semibold">{title}</p>
              <ul className="mt-3 grid gap-1">
                {links.map(({ name, href }) => (
                  <li key={href}>
                    <a
                      href={href}
                      className="inline-block py-1 text-sm text-muted-foreground hover:text-foreground hover:underline"
                    >
                      {name}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
    </footer>
  );
}

/** Switches by address, so that it works without a script, and so that links can name a language. */
function LanguageSwitch() {
  const { texts, language, page } = usePage();
  return (
    <ul aria-label={texts.header.language} className="mt-6 flex gap-2 text-sm">
      {languages.map((each) => (
        <li key={each}>
          <a
            href={each === 'en' ? pathOf(page, each, { query: 'lang=en' }) : pathOf(page, each)}
            lang={each}
            hrefLang={each}
            aria-current={each === language ? 'true' : undefined}
            className="inline-block rounded-md px-2.5 py-1 text-muted-foreground hover:bg-muted hover:text-foreground aria-[current]:bg-muted aria-[current]:font-medium aria-[current]:text-foreground"
          >
            {textsOf[each].languageName}
          </a>
        </li>
      ))}
    </ul>
  );
}
