import { initials } from './own-name.ts';

type OrganizationMastProps = {
  organization: { name: string; logoUrl: string | null } | null;
};

/** The organization of this call, at the top of a full page. */
export function OrganizationMast({ organization }: OrganizationMastProps) {
  return (
    <header className="masthead">
      {organization && (
        <>
          {organization.logoUrl ? (
            // Loaded after everything that the call needs.
            <img
              className="logo"
              src={organization.logoUrl}
              alt=""
              decoding="async"
              fetchPriority="low"
            />
          ) : (
            <span className="mark" aria-hidden="true">
              {initials(organization.name).charAt(0)}
            </span>
          )}
          <span>{organization.name}</span>
        </>
      )}
    </header>
  );
}
