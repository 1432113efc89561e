/**
 * SQL: whether the session `s` has the factors that its organization requires, by the left-joined policy `p`. An
 * identity provider asks for its own.
 */
export const hasRequiredFactors =
  '(p.two_factor_required_at is null or s.two_factors or s.sso_org_id is not null)';
