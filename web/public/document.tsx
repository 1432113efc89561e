import typeface from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import type { ReactNode } from 'react';
import { type Language, languages } from '#domain/languages.ts';
import { pathOf, usePage } from '#web/public/page-context.ts';
import styles from '#web/public/public.css?inline';
import { SiteFooter } from '#web/public/site-footer.tsx';
import { SiteHeader } from '#web/public/site-header.tsx';
import { StructuredData } from '#web/public/structured-data.tsx';

const locales: Record<Language, string> = { en: 'en_US', de: 'de_DE' };

/** The whole document. Its styles are inlined: they cost less time than another request. */
export function Document({ children }: { children: ReactNode }) {
  const { texts, language, theme, scripts } = usePage();
  return (
    <html lang={language} data-theme={theme ?? undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        <meta name="theme-color" content="#f7f8fa" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0e1116" media="(prefers-color-scheme: dark)" />
        <About />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="preload" as="font" type="font/woff2" crossOrigin="" href={typeface} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own file, built */}
        <style dangerouslySetInnerHTML={{ __html: styles }} />
        <StructuredData />
        <script type="module" src={scripts.page} />
      </head>
      <body>
        <a
          href="#content"
          className="absolute top-2 left-2 z-50 -translate-y-20 rounded-md bg-brand px-4 py-2 font-medium text-brand-text focus:translate-y-0"
        >
          {texts.skip}
        </a>
        <SiteHeader />
        <main id="content" tabIndex={-1} className="outline-none">
          {children}
        </main>
        <SiteFooter />
        {/* scripts/page.ts fills it with the message of the previous page. */}
        <section
          id="toast"
          aria-label={texts.notifications.label}
          tabIndex={-1}
          data-close={texts.notifications.close}
          className="fixed right-4 bottom-4 left-4 z-50 rounded-md text-sm sm:left-auto sm:w-[420px] sm:max-w-[calc(100vw-2rem)]"
        >
          <div role="status" />
        </section>
      </body>
    </html>
  );
}

/** The page's metadata for search engines and link previews. */
function About() {
  const { texts, page, language, origin } = usePage();
  const { title, description } = texts[page];
  const whole = page === 'home' ? `Rapport · ${title}` : `${title} · Rapport`;
  const address = origin + pathOf(page, language);
  const picture = `${origin}/og.png`;
  const named = {
    description,
    'twitter:card': 'summary_large_image',
    'twitter:title': whole,
    'twitter:description': description,
    'twitter:image': picture,
    'twitter:image:alt': texts.home.headline,
  };
  const shared = {
    'og:type': 'website',
    'og:site_name': 'Rapport',
    'og:title': whole,
    'og:description': description,
    'og:url': address,
    'og:locale': locales[language],
    'og:image': picture,
    'og:image:type': 'image/png',
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': texts.home.headline,
  };
  return (
    <>
      <title>{whole}</title>
      <link rel="canonical" href={address} />
      {languages.map((each) => (
        <link key={each} rel="alternate" hrefLang={each} href={origin + pathOf(page, each)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={origin + pathOf(page, 'en')} />
      {Object.entries(named).map(([name, content]) => (
        <meta key={name} name={name} content={content} />
      ))}
      {Object.entries(shared).map(([property, content]) => (
        <meta key={property} property={property} content={content} />
      ))}
    </>
  );
}
