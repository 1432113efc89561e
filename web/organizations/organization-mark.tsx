import { clsx } from 'clsx';

interface OrganizationMarkProps {
  organization: { name: string; logoUrl: string | null } | undefined;
  /** Needed where the name is not beside it. */
  alt?: string;
  className?: string;
}

/** The organization's logo, else the product's. On white in both themes: most logos are made for paper. */
export function OrganizationMark({ organization, alt = '', className }: OrganizationMarkProps) {
  const logo = organization?.logoUrl;
  if (!logo) return <img src="/icon.svg" alt="" className={clsx('size-7 shrink-0', className)} />;
  return (
    <img
      src={logo}
      alt={alt}
      decoding="async"
      className={clsx('h-8 max-w-20 shrink-0 rounded-md bg-white object-contain', className)}
    />
  );
}
