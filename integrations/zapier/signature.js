import { createHmac, timingSafeEqual } from 'node:crypto';

const headerOf = (headers, name) =>
  Object.entries(headers).find(([key]) => key.toLowerCase().replace(/^http-/, '') === name)?.[1] ??
  '';

/**
 * Returns whether an event is signed with the secret of its subscription (Standard Webhooks). Its age is not
 * compared, because Zapier may hold events back.
 * @param raw Zapier's `rawRequest`, which prefixes the names of headers with `Http-`
 */
export function isSigned(raw, secret) {
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headerOf(raw.headers ?? {}, name),
  );
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${time}.${raw.content}`).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
