import type { CrmSync } from '#domain/crm/contract.ts';
import { nextAttempt } from '#domain/webhooks/retries.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { Contact, CrmFailure } from '#server/providers/crm/port.ts';

/** A sync that this process works on. */
export interface TakenSync {
  id: string;
  lease: string;
  connectionId: string;
  version: number;
  attempts: number;
  firstTryAt: Date;
}

type Reason = NonNullable<CrmSync['reason']>;

/** Longer than one request with a refresh of its token, so that no other process sends the same meanwhile. */
const sendingSeconds = 120;
const own = 'where org_id = $1 and id = $2 and lease = $3';
const release = 'lease = null, leased_until = null';

const beginCreating: Statement = {
  name: 'begin_creating_in_crm',
  text: `update crm_syncs set contact_kind = $4, contact_id = $5, creating_at = clock_timestamp(),
      call_started_at = (select c.started_at from calls c where c.org_id = $1 and c.id = crm_syncs.call_id)
    ${own} and call_deleted_at is null returning id`,
};
const failCreating: Statement = {
  name: 'fail_creating_in_crm',
  text: `update crm_syncs set creating_at = null ${own}`,
};
// Whatever became of the lease: the vendor has it. Also of a call that was deleted meanwhile.
const keepRemote: Statement = {
  name: 'keep_crm_call',
  text: `update crm_syncs set remote_id = coalesce(remote_id, $3), creating_at = null
    where org_id = $1 and id = $2`,
};
const keepProperties: Statement = {
  name: 'keep_crm_properties',
  text: `update crm_syncs
    set sent_properties = array(select distinct name from unnest(sent_properties || $4::text[]) name),
      leased_until = clock_timestamp() + interval '${sendingSeconds} seconds'
    ${own} returning id`,
};
const keepSent: Statement = {
  name: 'keep_what_crm_has',
  text: `update crm_syncs set remote_digest = $4, sent_properties = $5 ${own}`,
};
const done: Statement = {
  name: 'note_crm_synced',
  text: `update crm_syncs set ${release}, reason = null, detail = null, synced_at = clock_timestamp(),
      state = case when wanted_version = $4 then 'synced' else 'waiting' end,
      attempts = 0, first_try_at = null, next_try_at = clock_timestamp() + interval '5 seconds' ${own}`,
};
// A call that was deleted while this process worked on it.
const toRemove: Statement = {
  name: 'note_crm_call_deleted',
  text: `update crm_syncs set ${release}, next_try_at = clock_timestamp()
    ${own} and call_deleted_at is not null returning id`,
};
const later: Statement = {
  name: 'note_crm_continues',
  text: `update crm_syncs set ${release}, attempts = 0, first_try_at = null,
      next_try_at = clock_timestamp() ${own}`,
};
const end: Statement = {
  name: 'note_crm_ended',
  text: `update crm_syncs set ${release}, state = $4, reason = $5, detail = $6 ${own}`,
};
const retry: Statement = {
  name: 'note_crm_retry',
  text: `with paused as (
      update crm_connections n set paused_until = $7 from crm_syncs s
      where $7::timestamptz is not null and s.org_id = $1 and s.id = $2 and s.lease = $3
        and n.org_id = $1 and n.id = s.connection_id
    )
    update crm_syncs set ${release}, next_try_at = $4, reason = $5, detail = $6 ${own}`,
};
// Nothing is taken while the connection needs attention; then this is due.
const held: Statement = {
  name: 'note_crm_held',
  text: `update crm_syncs set ${release}, attempts = 0, first_try_at = null, detail = $4 ${own}`,
};
const forget: Statement = {
  name: 'forget_crm_sync',
  text: `delete from crm_syncs ${own}`,
};

/** Stores what becomes of a sync, if it is still this process's. */
export class SyncNotes {
  readonly #tenant: Tenant;
  readonly #sync: TakenSync;

  constructor(tenant: Tenant, sync: TakenSync) {
    this.#tenant = tenant;
    this.#sync = sync;
  }

  /** @returns false if the call was deleted, or the sync is another process's now */
  async creating({ kind, id }: Contact): Promise<boolean> {
    return (await this.#run(beginCreating, [kind, id])).length > 0;
  }

  /** The vendor has answered that it was not created. */
  notCreated = () => this.#run(failCreating);
  /**
   * The vendor may have values of these properties from now on.
   * @returns false if the sync is another process's now
   */
  isSending = async (names: readonly string[]) =>
    (await this.#run(keepProperties, [names])).length > 0;
  /** The vendor has these fields, and values of these properties only. */
  keepSent = (digest: string, properties: readonly string[]) =>
    this.#run(keepSent, [digest, properties]);
  synced = () => this.#run(done, [this.#sync.version]);
  /** There is more to do, in another turn. */
  continues = () => this.#run(later);
  /** @returns false if the call is not deleted */
  isToRemove = async () => (await this.#run(toRemove)).length > 0;
  skipped = (reason: Reason) => this.#run(end, ['skipped', reason, null]);
  forgotten = () => this.#run(forget);

  async keepRemote(id: string): Promise<void> {
    const values = [this.#tenant.orgId, this.#sync.id, id];
    await this.#tenant.connection(({ run }) => run(keepRemote, values));
  }

  /** @param random from 0 to 1, varies the delay */
  async failed({ kind, message, retryAfterSeconds }: CrmFailure, random = Math.random()) {
    if (kind === 'unauthorized' || kind === 'forbidden') return this.#run(held, [message]);
    if (kind === 'missing') return this.#run(end, ['failed', 'deleted_there', message]);
    if (kind === 'rejected') return this.#run(end, ['failed', 'rejected', message]);
    const { firstTryAt, attempts: attempt } = this.#sync;
    const next = nextAttempt({ firstTryAt, attempt, retryAfterSeconds, now: new Date(), random });
    if (!next) return this.#run(end, ['failed', 'unreachable', message]);
    // The organization's other calls wait, too.
    const pause = kind === 'busy' || retryAfterSeconds !== null ? next : null;
    return this.#run(retry, [next, 'unreachable', message, pause]);
  }

  #run(statement: Statement, values: unknown[] = []) {
    const { id, lease } = this.#sync;
    return this.#tenant.connection(({ run }) =>
      run(statement, [this.#tenant.orgId, id, lease, ...values]),
    );
  }
}
