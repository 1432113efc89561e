import { planList } from '#domain/billing/plans.ts';
import { pathOf, usePage } from '#web/public/page-context.ts';

/** The page's content for programs (JSON-LD, schema.org). */
export function StructuredData() {
  const { page, origin, language, texts } = usePage();
  const { title, description } = texts[page];
  const organization = { '@type': 'Organization', name: 'Rapport', url: `${origin}/` };
  const product = {
    '@type': 'SoftwareApplication',
    name: 'Rapport',
    description,
    url: `${origin}/`,
    image: `${origin}/og.png`,
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'Web',
    offers: planList.map(({ name, priceDollarsPerMonth }) => ({
      '@type': 'Offer',
      name,
      price: String(priceDollarsPerMonth),
      priceCurrency: 'USD',
      url: origin + pathOf('home', language, { hash: 'pricing' }),
    })),
  };
  const trail = {
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: 'Rapport', item: `${origin}/` },
      { '@type': 'ListItem', position: 2, name: title, item: origin + pathOf(page, language) },
    ],
  };
  const graph = page === 'home' ? [organization, product] : [organization, trail];
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph });
  return (
    <script
      type="application/ld+json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON in which no tag can begin
      dangerouslySetInnerHTML={{ __html: json.replaceAll('<', '\\u003c') }}
    />
  );
}
