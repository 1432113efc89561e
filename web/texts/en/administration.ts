import privacy from './privacy.json';
import scim from './scim.json';
import sso from './sso.json';

/** What only admins read, so that nobody else loads it. */
export const administration = { privacy, scim, sso };
