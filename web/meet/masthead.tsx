import type { Meeting } from './meeting.ts';
import { initials } from './own-name.ts';
import { useStore } from './use-store.ts';

/** Whose call this is. In a frame the page around it says so already. */
export function Masthead({ meeting }: { meeting: Meeting }) {
  const { organization } = useStore(meeting);
  if (meeting.isFramed) return null;
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
