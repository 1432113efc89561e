import { setTimeout as pause } from 'node:timers/promises';
import type { CrmVendor } from '#domain/crm/mapping.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { type Access, type Crm, CrmFailure, type Grant } from '#server/providers/crm/port.ts';
import type { Services } from '#server/services.ts';
import type { AttentionReason } from './attention-email.ts';
import { mailAttention } from './mail-attention.ts';
import { revokeGrant } from './revoke-access.ts';
import { sealToken, unsealToken } from './tokens.ts';

type UsedServices = Pick<Services, 'config' | 'secrets' | 'log'>;

interface TokenRow {
  accessSealed: string;
  apiBase: string;
  expiresSoon: boolean;
  needsAttention: boolean;
}

const tokensOf: Statement = {
  name: 'tokens_of_crm_connection',
  text: `select access_token_sealed as "accessSealed", api_base as "apiBase",
      coalesce(access_expires_at < clock_timestamp() + interval '1 minute', false) as "expiresSoon",
      attention_at is not null as "needsAttention"
    from crm_connections where org_id = $1 and id = $2`,
};
// One process refreshes at a time: a vendor may revoke all tokens if an old refresh token is used again.
const beginRefresh: Statement = {
  name: 'begin_crm_refresh',
  text: `update crm_connections set refreshing_until = clock_timestamp() + interval '30 seconds'
    where org_id = $1 and id = $2 and access_token_sealed = $3 and attention_at is null
      and (refreshing_until is null or refreshing_until < clock_timestamp())
    returning refresh_token_sealed as "refreshSealed", api_base as "apiBase"`,
};
const keepTokens: Statement = {
  name: 'keep_crm_tokens',
  text: `update crm_connections set access_token_sealed = $4, refresh_token_sealed = coalesce($5, refresh_token_sealed),
      access_expires_at = clock_timestamp() + make_interval(secs => $6), api_base = $7, refreshing_until = null
    where org_id = $1 and id = $2 and access_token_sealed = $3 returning id`,
};
const refreshTokenOf: Statement = {
  name: 'refresh_token_of_crm_connection',
  text: 'select refresh_token_sealed as "refreshSealed" from crm_connections where org_id = $1 and id = $2',
};
const endRefresh: Statement = {
  name: 'end_crm_refresh',
  text: `update crm_connections set refreshing_until = null
    where org_id = $1 and id = $2 and access_token_sealed = $3`,
};
// Not of a connection that was made again meanwhile.
const needAttention: Statement = {
  name: 'crm_needs_attention',
  text: `update crm_connections set attention_at = now(), attention_reason = $4, refreshing_until = null
    where org_id = $1 and id = $2 and access_token_sealed = $3 and attention_at is null returning id`,
};

/** Another process refreshes for so long at most. */
const longestWaitMs = 15_000;
const lookAgainMs = 200;

/** Uses the access of a connection, and refreshes its tokens. */
export class CrmSession {
  readonly #tenant: Tenant;
  readonly #services: UsedServices;
  readonly #crm: Crm;
  readonly #id: string;

  constructor(tenant: Tenant, services: UsedServices, crm: Crm, connectionId: string) {
    this.#tenant = tenant;
    this.#services = services;
    this.#crm = crm;
    this.#id = connectionId;
  }

  /**
   * Runs `work` with a valid access, and once more after a refresh if the vendor does not accept it. Marks the
   * connection if it needs attention.
   * @throws CrmFailure
   */
  async use<T>(work: (access: Access) => Promise<T>): Promise<T> {
    // Each time: a vendor may accept a token for some time after it was revoked by a Disconnect.
    const stored = await this.#read();
    const before = stored.expiresSoon ? await this.#refreshed(stored) : stored;
    try {
      return await work(this.#accessOf(before));
    } catch (error) {
      if (!(error instanceof CrmFailure)) throw error;
      if (error.kind === 'forbidden') await this.#mark(before, 'forbidden');
      if (error.kind !== 'unauthorized') throw error;
    }
    const after = await this.#refreshed(before);
    try {
      return await work(this.#accessOf(after));
    } catch (error) {
      if (error instanceof CrmFailure && error.kind === 'unauthorized')
        await this.#mark(after, 'revoked');
      throw error;
    }
  }

  #accessOf({ accessSealed, apiBase }: TokenRow): Access {
    return { token: unsealToken(this.#services.secrets, this.#id, accessSealed), base: apiBase };
  }

  async #read(): Promise<TokenRow> {
    const [row] = await this.#tenant.connection(({ run }) =>
      run<TokenRow & Record<string, unknown>>(tokensOf, [this.#tenant.orgId, this.#id]),
    );
    if (!row) throw new CrmFailure('unauthorized', 'It was disconnected.');
    if (row.needsAttention) throw new CrmFailure('unauthorized', 'It needs attention.');
    return row;
  }

  /** Returns the tokens after `before`, which this or another process gets. */
  async #refreshed(before: TokenRow): Promise<TokenRow> {
    const until = performance.now() + longestWaitMs;
    for (;;) {
      const key = [this.#tenant.orgId, this.#id, before.accessSealed];
      const [begun] = await this.#tenant.connection(({ run }) =>
        run<{ refreshSealed: string; apiBase: string }>(beginRefresh, key),
      );
      if (begun) await this.#refresh(before, begun);
      const now = await this.#read();
      if (now.accessSealed !== before.accessSealed) return now;
      if (performance.now() > until) throw new CrmFailure('unavailable', 'No new token came.');
      await pause(lookAgainMs);
    }
  }

  async #refresh(before: TokenRow, row: { refreshSealed: string; apiBase: string }): Promise<void> {
    const { orgId } = this.#tenant;
    const key = [orgId, this.#id, before.accessSealed];
    const grant = await this.#grant(row).catch(async (error: unknown): Promise<Grant> => {
      const isOver =
        error instanceof CrmFailure && ['unauthorized', 'rejected', 'missing'].includes(error.kind);
      if (isOver) {
        await this.#mark(before, 'revoked');
        throw new CrmFailure('unauthorized', error.message);
      }
      await this.#tenant.connection(({ run }) => run(endRefresh, key));
      throw error;
    });
    const sealed = [grant.accessToken, grant.refreshToken].map((token) =>
      token === null ? null : sealToken(this.#services.secrets, this.#id, token),
    );
    const values = [...key, ...sealed, grant.expiresInSeconds, grant.apiBase];
    const kept = await this.#tenant.connection(({ run }) => run(keepTokens, values));
    if (kept.length === 0) await this.#revokeUnkept(grant);
  }

  async #grant({ refreshSealed, apiBase }: { refreshSealed: string; apiBase: string }) {
    const token = unsealToken(this.#services.secrets, this.#id, refreshSealed);
    return this.#crm.refresh(token, apiBase);
  }

  /** The connection was ended or made again while the vendor granted tokens. */
  async #revokeUnkept(grant: Grant): Promise<void> {
    const key = [this.#tenant.orgId, this.#id];
    const [now] = await this.#tenant.connection(({ run }) =>
      run<{ refreshSealed: string }>(refreshTokenOf, key),
    );
    const current = now && unsealToken(this.#services.secrets, this.#id, now.refreshSealed);
    if (grant.refreshToken === null && now) return;
    if (grant.refreshToken === null || grant.refreshToken !== current)
      await revokeGrant(this.#crm, grant, this.#services);
  }

  async #mark({ accessSealed }: TokenRow, reason: AttentionReason): Promise<void> {
    await this.#tenant.transaction(async (tx) => {
      const values = [this.#tenant.orgId, this.#id, accessSealed, reason];
      if ((await tx.run(needAttention, values)).length === 0) return;
      const vendor: CrmVendor = this.#crm.vendor;
      await recordEvent(tx, {
        action: 'CRM_NEEDS_ATTENTION',
        entity: 'crm_connection',
        entityId: this.#id,
        metadata: { vendor, reason },
      });
      await mailAttention(tx, this.#services.config, { vendor, reason });
    });
  }
}
