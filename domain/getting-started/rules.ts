interface FirstHour {
  organizationCreatedAt: Date;
  /** When the person joined the organization. */
  joinedAt: Date;
  /** The end of the organization's first call. */
  firstCallAt: Date | null;
  /** When the person dismissed the list. */
  dismissedAt: Date | null;
}

const dayMs = 86_400_000;
/** For what is left to do once the first call was held. */
const daysAfterFirstCall = 7;
/** An organization from before the list has calls and is older. */
const daysOfOrganization = 30;

/**
 * Whether the dashboard shows the list unasked: not after the person dismissed it, not to people who joined after
 * the first call, and not in an organization that has worked for a while.
 */
export function isListShown(hour: FirstHour, now: Date): boolean {
  const { organizationCreatedAt, joinedAt, firstCallAt, dismissedAt } = hour;
  if (dismissedAt) return false;
  if (!firstCallAt) return true;
  const daysSince = (time: Date) => (now.getTime() - time.getTime()) / dayMs;
  return (
    joinedAt <= firstCallAt &&
    daysSince(firstCallAt) < daysAfterFirstCall &&
    daysSince(organizationCreatedAt) < daysOfOrganization
  );
}
