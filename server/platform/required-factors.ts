import { DomainError } from '#domain/errors.ts';

/**
 * SQL: whether the session `s` has the factors that its organization requires, by the left-joined policy `p`. An
 * identity provider asks for its own.
 */
export const hasRequiredFactors =
  '(p.two_factor_required_at is null or s.two_factors or s.sso_org_id is not null)';

/** What a session without the required factors is answered. */
export const twoFactorRequired = () =>
  new DomainError(
    'forbidden',
    'two_factor_required',
    'Your organization requires a second factor. Set it up on your profile to continue.',
  );
