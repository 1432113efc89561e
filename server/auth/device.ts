import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { browserName } from '#domain/auth/browser-name.ts';
import type { AccountId } from '#domain/ids.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type Secrets, sameBytes, sign } from '#server/platform/secrets.ts';
import { isSecure } from '#server/platform/secure-cookies.ts';
import type { AccountConnection } from './write-as-account.ts';

/** Identifies the browser, not the person. Browsers cap the lifetime of a cookie at 400 days. */
const cookie = 'rapport_device';
const cookieSeconds = 400 * 86_400;
const deviceId = z.uuid();

/** The requesting browser: the ID in its cookie, and the names in its User-Agent header. */
export interface Device {
  id: string;
  browser: string | null;
  system: string | null;
}

/**
 * Returns the ID of a device cookie that this server signed; null if there is none or its signature is wrong.
 */
export function knownDeviceId(secrets: Secrets, request: FastifyRequest): string | null {
  const [id = '', signature = ''] = (request.cookies[cookie] ?? '').split('.');
  if (!deviceId.safeParse(id).success) return null;
  const given = Buffer.from(signature, 'base64url');
  const ours = secrets.keys('device').some(({ key }) => sameBytes(sign(key, id), given));
  return ours ? id : null;
}

/** Returns the device of the request, and sets the cookie that identifies it next time. */
export function deviceOf(secrets: Secrets, request: FastifyRequest, reply: FastifyReply): Device {
  const id = knownDeviceId(secrets, request) ?? newId(deviceId);
  const signature = sign(secrets.key('device'), id).toString('base64url');
  reply.setCookie(cookie, `${id}.${signature}`, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(request),
    maxAge: cookieSeconds,
  });
  return { id, ...browserName(request.headers['user-agent'] ?? '') };
}

// `before` sees the table before the insert: whether any device was known, and this one with the same
// browser.
const noteDeviceStatement: Statement = {
  name: 'note_device',
  text: `with before as (
      select count(*) as known,
        count(*) filter (where device_id = $2 and browser is not distinct from $3
          and system is not distinct from $4) as same
      from account_devices where account_id = $1
    ), noted as (
      insert into account_devices (account_id, device_id, browser, system)
      values ($1, $2, $3, $4)
      on conflict (account_id, device_id)
      do update set last_seen_at = now(), browser = excluded.browser, system = excluded.system
    )
    select known > 0 and same = 0 as "isNew" from before`,
};

/** Per account. A browser that was dropped counts as a new device. */
const mostDevices = 100;
const forgetOldest: Statement = {
  name: 'forget_oldest_devices',
  text: `delete from account_devices where account_id = $1 and device_id in (
    select device_id from account_devices where account_id = $1
      order by last_seen_at desc, device_id offset ${mostDevices})`,
};

/**
 * Records the device and drops the oldest ones beyond a hundred. Returns true if the account has been used
 * before, but not from this device.
 */
export async function noteDevice(
  tx: AccountConnection,
  account: AccountId,
  { id, browser, system }: Device,
): Promise<boolean> {
  const [row] = await tx.run<{ isNew: boolean }>(noteDeviceStatement, [
    account,
    id,
    browser,
    system,
  ]);
  await tx.run(forgetOldest, [account]);
  return row?.isNew ?? false;
}

const deviceOfEmail: Statement = {
  name: 'device_of_email',
  text: `select 1 from account_devices d join accounts a on a.id = d.account_id
    where a.email = $1 and d.device_id = $2`,
};

/** Returns whether the account of this address has signed in from the device before. */
export async function hasUsedDevice(
  at: AccountConnection,
  email: string,
  device: string | null,
): Promise<boolean> {
  const found = await at.run(deviceOfEmail, [email, device]);
  return found.length > 0;
}
