interface LegalLinksProps {
  privacy: string;
  terms: string;
  className?: string;
}

/** The operator's privacy notice and terms, which the server writes into the page if they are configured. */
export function LegalLinks({ privacy, terms, className }: LegalLinksProps) {
  const links = [
    { name: privacy, href: addressIn('privacy-url') },
    { name: terms, href: addressIn('terms-url') },
  ].flatMap(({ name, href }) => (href ? [{ name, href }] : []));
  if (links.length === 0) return null;
  // Opens a new page, so that the input on this one is kept.
  return (
    <p className={className}>
      {links.map(({ name, href }) => (
        <a key={name} href={href} target="_blank" rel="noreferrer">
          {name}
        </a>
      ))}
    </p>
  );
}

const addressIn = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
