const hidden = '[hidden]';

/** More is never shown. Bounds the time that a hostile answer takes. */
const mostRead = 2000;
/** Fields of OAuth 2.0 and PKCE that must not be repeated. */
const secretFields = ['client_secret', 'refresh_token', 'code', 'code_verifier', 'token'];

/** Returns what of a form must not be repeated. */
export const secretsOfForm = (form: Record<string, string> = {}): string[] =>
  secretFields.flatMap((name) => form[name] ?? []);

/** Values in a form or a query that carry a secret. */
const inForm =
  /\b((?:\w*_)?(?:token|secret|code|code_verifier|password|assertion)["']?\s*[=:]\s*["']?)[^\s&"',;<>]+/gi;
const afterScheme = /\b((?:Bearer|Basic|OAuth)\s+)[^\s"',;<>]+/gi;
const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
/** Long and with a digit: tokens of both vendors, JSON Web Tokens, ids of sessions. Names of properties have none. */
const random = /(?=[\w.!~+%-]*\d)(?=[\w.!~+%-]*[a-z])[\w!~+%-]{16,}(?:[.!~][\w!~+%-]+)*/gi;

/**
 * Returns a vendor's message without secrets, because it is stored and shown: those of the request, however they are
 * written, and whatever looks like one.
 */
export function maskSecrets(message: string, sent: readonly string[]): string {
  const known = sent
    .filter((one) => one.length > 0)
    .flatMap((one) => [
      one,
      encodeURIComponent(one),
      new URLSearchParams({ '': one }).toString().slice(1),
    ])
    .toSorted((a, b) => b.length - a.length);
  // A secret may have been cut, too.
  const read = message.length > mostRead ? message.slice(0, mostRead).replace(/\S*$/, '') : message;
  return known
    .reduce((text, one) => text.replaceAll(one, hidden), read)
    .replaceAll(inForm, `$1${hidden}`)
    .replaceAll(afterScheme, `$1${hidden}`)
    .replaceAll(uuid, hidden)
    .replaceAll(random, hidden);
}
