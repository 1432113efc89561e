import { languages } from '#domain/languages.ts';
import { publicPaths } from '#domain/public/pages.ts';

const addressIn = (origin: string, path: string, language: string) =>
  `${origin}${path}${language === 'en' ? '' : `?lang=${language}`}`;

/** Returns every public page in every language (sitemaps.org; alternates as search engines read them). */
export function sitemap(origin: string): string {
  const entries = Object.values(publicPaths).flatMap((path) =>
    languages.map((language) => {
      const alternates = languages.map(
        (other) =>
          `<xhtml:link rel="alternate" hreflang="${other}" href="${addressIn(origin, path, other)}"/>`,
      );
      return `<url><loc>${addressIn(origin, path, language)}</loc>${alternates.join('')}</url>`;
    }),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('\n')}
</urlset>
`;
}

/** Returns robots.txt, which excludes links with tokens, and pages behind the sign-in. */
export const robots = (origin: string): string => `User-agent: *
Disallow: /api/
Disallow: /app
Disallow: /invite/
Disallow: /join/
Disallow: /meet/
Disallow: /reset-password/
Disallow: /shared/

Sitemap: ${origin}/sitemap.xml
`;
