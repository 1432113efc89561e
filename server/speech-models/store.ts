import type { FetchFailure } from '#domain/speech-models/contract.ts';
import type { Connection, Database, Statement } from '#server/platform/database.ts';

/** A model that was asked for, by its row. */
export interface FetchRow {
  name: string;
  state: 'waiting' | 'fetching' | 'verifying' | 'interrupted' | 'ready' | 'failed';
  receivedBytes: number;
  failure: FetchFailure | null;
  /** No process works on it any more, although the last one has not said so. */
  isLost: boolean;
  /** Set once it was removed. */
  removedAt: Date | null;
}

/** How often a model can be asked for on a day: each time may be a download of gigabytes. */
const mostRequestsOfDay = 10;

const list: Statement = {
  name: 'speech_models',
  text: `select name, state, received_bytes::float8 as "receivedBytes", failure, removed_at as "removedAt",
      state in ('fetching', 'verifying')
        and coalesce(leased_until < clock_timestamp(), true) as "isLost"
    from speech_models limit 1000`,
};
const want: Statement = {
  name: 'want_speech_model',
  text: `insert into speech_models as m (name, wanted_at, state, requests_on, requests)
    values ($1, clock_timestamp(), 'waiting', (now() at time zone 'UTC')::date, 1)
    on conflict (name) do update set wanted_at = coalesce(m.wanted_at, excluded.wanted_at),
      removed_at = null, state = 'waiting', failure = null, attempts = 0,
      received_bytes = case when m.wanted_at is null then 0 else m.received_bytes end,
      next_try_at = clock_timestamp(), lease = null, leased_until = null,
      requests_on = excluded.requests_on,
      requests = case when m.requests_on = excluded.requests_on then m.requests + 1 else 1 end
    where (m.wanted_at is null or m.state = 'failed')
      and (m.requests_on < excluded.requests_on or m.requests < $2)
    returning name`,
};
const remove: Statement = {
  name: 'remove_speech_model',
  text: `insert into speech_models as m (name, removed_at, state, requests_on, requests)
    values ($1, clock_timestamp(), 'ready', (now() at time zone 'UTC')::date, 0)
    on conflict (name) do update set wanted_at = null, removed_at = clock_timestamp(),
      state = 'ready', failure = null, received_bytes = 0, lease = null, leased_until = null`,
};
const elsewhere: Statement = {
  name: 'is_transcribed_elsewhere',
  text: 'select is_transcribed_elsewhere() as "isUsed"',
};
const take: Statement = {
  name: 'take_speech_model',
  text: 'select name, attempts from take_speech_model($1, $2, $3)',
};
const note: Statement = {
  name: 'note_speech_model',
  text: `update speech_models set state = $3, received_bytes = $4,
      leased_until = clock_timestamp() + make_interval(secs => $5)
    where name = $1 and lease = $2 returning name`,
};
const end: Statement = {
  name: 'end_speech_model',
  text: `update speech_models set state = $3, failure = $4, lease = null, leased_until = null,
      next_try_at = clock_timestamp() + make_interval(secs => $5),
      attempts = case when $3 = 'ready' then 0 else attempts end
    where name = $1 and lease = $2`,
};

type Row<T> = T & Record<string, unknown>;

export const fetchRows = ({ run }: Pick<Connection, 'run'>): Promise<FetchRow[]> =>
  run<Row<FetchRow>>(list, []);

/** Has the servers fetch a model, unless they do already, or it was asked for too often. */
export async function wantModel(
  at: Pick<Connection, 'run'>,
  name: string,
): Promise<'wanted' | 'already' | 'too often'> {
  if ((await at.run(want, [name, mostRequestsOfDay])).length > 0) return 'wanted';
  const row = (await fetchRows(at)).find((one) => one.name === name);
  return row && row.removedAt === null && row.state !== 'failed' ? 'already' : 'too often';
}

/** Ends a download, too. Each server then deletes its files. */
export async function markRemoved({ run }: Pick<Connection, 'run'>, name: string): Promise<void> {
  await run(remove, [name]);
}

export async function isUsedElsewhere({ run }: Pick<Connection, 'run'>): Promise<boolean> {
  const [row] = await run<{ isUsed: boolean }>(elsewhere, []);
  return row?.isUsed ?? false;
}

export interface FetchLease {
  name: string;
  lease: string;
  /** With this one. */
  attempts: number;
}

/** Takes one of the models that this server does not have; null while another one is fetched. */
export async function takeModel(
  database: Database,
  missing: string[],
  lease: string,
  seconds: number,
): Promise<FetchLease | null> {
  const [taken] = await database.background(({ run }) =>
    run<{ name: string; attempts: number }>(take, [missing, lease, seconds]),
  );
  return taken ? { ...taken, lease } : null;
}

/** Stores the progress and extends the lease. @returns false once the lease was lost, or the model removed */
export async function noteProgress(
  database: Database,
  { name, lease }: FetchLease,
  { state, receivedBytes }: { state: 'fetching' | 'verifying'; receivedBytes: number },
  seconds: number,
): Promise<boolean> {
  const noted = await database.connection('outside', ({ run }) =>
    run(note, [name, lease, state, receivedBytes, seconds]),
  );
  return noted.length > 0;
}

export async function endFetch(
  database: Database,
  { name, lease }: FetchLease,
  { state, failure = null }: { state: FetchRow['state']; failure?: FetchFailure | null },
  nextTrySeconds = 0,
): Promise<void> {
  await database.connection('outside', ({ run }) =>
    run(end, [name, lease, state, failure, nextTrySeconds]),
  );
}
