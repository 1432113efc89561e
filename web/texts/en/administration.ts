import audit from './audit.json';
import privacy from './privacy.json';
import scim from './scim.json';
import sso from './sso.json';

/** Texts for admins only, which other people do not load. */
export const administration = { audit, privacy, scim, sso };
