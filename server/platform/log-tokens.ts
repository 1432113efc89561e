const hidden = '[token]';

/** URLs whose last part is a credential: links in mails, invitations, guest links. */
const inPath =
  /(\/(?:invite|reset-password|verify-email|join|invitations|shared|shared-recordings)\/)(?!:\w)[^\s/?#"'\\<>]+/gi;
const inQuery =
  /([?&](?:\w*token|code|state|ticket|secret|password|samlresponse|relaystate)=)[^\s&#"'\\<>]+/gi;
/** JWTs, and random texts as long as our tokens, the shortest of which has 43 characters. */
const random = /[\w-]{40,}(?:\.[\w-]+)*/g;

/** Returns the text with tokens removed from paths, queries, headers, and errors. */
export const withoutTokens = (text: string): string =>
  text
    .replace(inPath, `$1${hidden}`)
    .replace(inQuery, `$1${hidden}`)
    .replace(random, hidden)
    .replace(/\beyJ[\w-]*\.[\w-]*(?:\.[\w-]*)?/g, hidden);

const word = /^[a-z][a-z-]{0,23}(?:\.[a-z]{1,5})?$/;

/**
 * Returns the path to log for a request without a route: plain words are kept, every other part
 * becomes `:x`. Pages of the app have no route of their own, and their paths may contain a token.
 */
export const pathForLog = (url: string): string =>
  (url.split(/[?#]/)[0] ?? '')
    .slice(0, 300)
    .split('/')
    .map((part) => (part === '' || word.test(part) ? part : ':x'))
    .join('/');
