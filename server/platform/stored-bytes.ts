import type { FastifyRequest } from 'fastify';
import { DomainError } from '#domain/errors.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Config } from '#server/config.ts';
import type { Services } from '#server/services.ts';
import type { Tenant } from './access.ts';
import { Allowance } from './allowance.ts';
import type { Logger } from './log.ts';
import { onceForEach } from './once-for-each.ts';

/** Counted for each change besides its text: ids, the audit event, and entries of indexes. */
const bytesOfChange = 500;
/** Text that a search finds is stored as its words, too, and in an index of them. */
export const timesOfSearched = 4;
const bytesOfMegabyte = 1_000_000;
const secondsOfDay = 86_400;
/** The part of a day's amount that may be stored at once. */
const atOnce = 1 / 5;
/** What an organization's guests may store, beside what its staff may. */
const partOfGuests = 1 / 5;
/** The operator is told of an organization once an hour. */
const tellings = { burst: 1, perSecond: 1 / 3_600 };

/** Of what staff may store: the part that one account or token may, so that its colleagues keep the rest. */
const partOfMember = 1 / 2;

/** On whose account a change is stored. */
type Payer = Pick<Tenant, 'orgId' | 'actor'>;

/**
 * Bounds what each organization adds to the database, in this process: `ORGANIZATION_DAILY_MB` a day. Members, and
 * tokens, have an amount of their own, so guests do not use it up. Recordings are files, and have other bounds.
 */
export class StoredBytes {
  readonly #allowances: Record<'staff' | 'member' | 'guests', Allowance> | null;
  readonly #told = new Allowance(tellings);
  readonly #tell: (orgId: OrgId) => void;

  /** @param dailyBytes 0 for no bound @param tell is called for an organization that is refused, once an hour */
  constructor(dailyBytes: number, tell: (orgId: OrgId) => void) {
    const bounds = { burst: dailyBytes * atOnce, perSecond: dailyBytes / secondsOfDay };
    this.#tell = tell;
    this.#allowances =
      dailyBytes === 0
        ? null
        : {
            staff: new Allowance(bounds),
            member: new Allowance(bounds, partOfMember),
            guests: new Allowance(bounds, partOfGuests),
          };
  }

  /**
   * Refuses a change while the organization, or the member, has stored too much.
   * @param now in milliseconds
   * @throws DomainError 429
   */
  require(payer: Payer, now = Date.now()): void {
    const debts = this.#of(payer).map(({ allowance, key }) => allowance.debtMs(key, now));
    const debtMs = Math.max(0, ...debts);
    if (debtMs === 0) return;
    if (this.#told.take(payer.orgId, 1, now) === 0) this.#tell(payer.orgId);
    throw tooMuchStored(Math.ceil(debtMs / 1_000));
  }

  /** Counts a change, with so many bytes of text. What is stored then is not refused. */
  spend(payer: Payer, bytes: number, now = Date.now()): void {
    for (const { allowance, key } of this.#of(payer)) {
      allowance.spend(key, bytesOfChange + bytes, now);
    }
  }

  /** @throws DomainError 429, and nothing is counted */
  take(payer: Payer, bytes: number, now = Date.now()): void {
    this.require(payer, now);
    this.spend(payer, bytes, now);
  }

  #of({ orgId, actor }: Payer): { allowance: Allowance; key: string }[] {
    if (!this.#allowances) return [];
    const { staff, member, guests } = this.#allowances;
    if (actor.kind === 'guest') return [{ allowance: guests, key: orgId }];
    const ofStaff = { allowance: staff, key: orgId };
    if (actor.kind === 'system') return [ofStaff];
    const id = actor.kind === 'user' ? actor.accountId : actor.tokenId;
    return [ofStaff, { allowance: member, key: `${orgId} ${id}` }];
  }
}

/** The bytes of a request's body, also of one that came without its length. */
export function lengthOfBody({ headers, body }: Pick<FastifyRequest, 'headers' | 'body'>): number {
  const length = Number(headers['content-length']);
  return length >= 0 ? length : Buffer.byteLength(JSON.stringify(body) ?? '');
}

const ofProcess = onceForEach((config: Config, log: Logger) => {
  const dailyBytes = config.ORGANIZATION_DAILY_MB * bytesOfMegabyte * config.RATE_LIMIT_SCALE;
  return new StoredBytes(dailyBytes, (orgId) => {
    log.warn({ orgId }, 'an organization stores more than ORGANIZATION_DAILY_MB, and is refused');
  });
});

/** Returns what counts for all organizations of this server process. */
export const storedBytes = ({ config, log }: Pick<Services, 'config' | 'log'>): StoredBytes =>
  ofProcess(config, log);

const tooMuchStored = (retryAfterSeconds: number) =>
  new DomainError(
    'too_many',
    'too_many_stored_bytes',
    'This organization has stored very much in a short time, so this is not saved. Please try again in a minute. If it stays, ask the operator of this server.',
    { retryAfterSeconds },
  );
