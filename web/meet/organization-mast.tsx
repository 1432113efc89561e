import { initials } from './own-name.ts';

type OrganizationMastProps = {
  organization: { name: string; logoUrl: string | null } | null;
};

/** Whose call this is, at the top of a page of its own. */
export function OrganizationMast({ organization }: OrganizationMastProps) {
  return (
    <header className="masthead">
      {organization && (
        <>
          {organization.logoUrl ? (
            // After everything that the call itself needs.
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
