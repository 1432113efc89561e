const hidden = '[token]';

/** Addresses whose last part opens something: links in mails, invitations, guest links. */
const inPath =
  /(\/(?:invite|reset-password|verify-email|join|invitations)\/)(?!:\w)[^\s/?#"'\\<>]+/gi;
const inQuery =
  /([?&](?:\w*token|code|state|ticket|secret|password|samlresponse|relaystate)=)[^\s&#"'\\<>]+/gi;
/** JWTs, and anything random that is as long as our tokens: the shortest has 43 characters. */
const random = /[\w-]{40,}(?:\.[\w-]+)*/g;

/** The text without tokens, wherever they stand: in a path, a query, a header, an error. */
export const withoutTokens = (text: string): string =>
  text
    .replace(inPath, `$1${hidden}`)
    .replace(inQuery, `$1${hidden}`)
    .replace(random, hidden)
    .replace(/\beyJ[\w-]*\.[\w-]*(?:\.[\w-]*)?/g, hidden);

const word = /^[a-z][a-z-]{0,23}(?:\.[a-z]{1,5})?$/;

/**
 * The path of a request that no route has, for the log: its plain words, and of everything else that it
 * is there. Pages of the app have no route of their own, and their paths may hold a token.
 */
export const pathForLog = (url: string): string =>
  (url.split(/[?#]/)[0] ?? '')
    .slice(0, 300)
    .split('/')
    .map((part) => (part === '' || word.test(part) ? part : ':x'))
    .join('/');
