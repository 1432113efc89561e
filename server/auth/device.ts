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

/** Names the browser, not the person; the browser's own longest life of a cookie. */
const cookie = 'rapport_device';
const cookieSeconds = 400 * 86_400;
const deviceId = z.uuid();

/** The browser that asks: the id of its cookie, and what it calls itself. */
export interface Device {
  id: string;
  browser: string | null;
  system: string | null;
}

/** The id of a device cookie that we signed; null for none, and for one of somebody's own making. */
export function knownDeviceId(secrets: Secrets, request: FastifyRequest): string | null {
  const [id = '', signature = ''] = (request.cookies[cookie] ?? '').split('.');
  if (!deviceId.safeParse(id).success) return null;
  const given = Buffer.from(signature, 'base64url');
  const ours = secrets.keys('device').some(({ key }) => sameBytes(sign(key, id), given));
  return ours ? id : null;
}

/** The device of the request, which gets a cookie that tells it next time. */
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

// `before` sees the table as it was: whether there was any device, and whether this one as it is now.
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

/** Of one account: to a browser that was forgotten the account is new. */
const mostDevices = 100;
const forgetOldest: Statement = {
  name: 'forget_oldest_devices',
  text: `delete from account_devices where account_id = $1 and device_id in (
    select device_id from account_devices where account_id = $1
      order by last_seen_at desc, device_id offset ${mostDevices})`,
};

/** Remembers the device, and forgets the oldest beyond a hundred. Answers whether the account was used before, and never from this one. */
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

/** Whether the account of this address has signed in from the device before. */
export async function hasUsedDevice(
  at: AccountConnection,
  email: string,
  device: string | null,
): Promise<boolean> {
  const found = await at.run(deviceOfEmail, [email, device]);
  return found.length > 0;
}
