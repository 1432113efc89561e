import { Readable } from 'node:stream';
import type { ConsentReceipt } from '#domain/consent/contract.ts';
import { notFound } from '#domain/errors.ts';
import { type CallId, greatestId } from '#domain/ids.ts';
import type { PageQuery } from '#domain/paging.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, requireStillMay, type Tenant } from '#server/platform/access.ts';
import { byteOrderMark, csvLine } from '#server/platform/csv.ts';
import type { Statement } from '#server/platform/database.ts';
import { exportTurns } from '#server/platform/export-turns.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';

interface Row extends Omit<ConsentReceipt, 'answeredAt'> {
  answeredAt: Date;
  roomId: string;
  callId: string | null;
}

const columns = `s.id, s.participant_id as "participantId", s.participant_kind as kind, s.name, s.asked, s.agreed,
  s.question, s.question_version as "questionVersion", s.language, s.answered_at as "answeredAt",
  s.room_id as "roomId", s.call_id as "callId"`;

const callExists: Statement = {
  name: 'call_of_receipts',
  text: 'select 1 from calls where org_id = $1 and id = $2',
};
// An answer that was given before the call began belongs to it once its participant has joined. Each part is read in
// its order up to the end of the page.
const ofCall: Statement = {
  name: 'receipts_of_call',
  text: `select * from (
      (select ${columns} from consents s where s.org_id = $1 and s.call_id = $2 and s.id < $3
        order by s.id desc limit $4)
      union all
      (select ${columns} from consents s
        where s.org_id = $1 and s.room_id = (select room_id from calls where org_id = $1 and id = $2)
          and s.call_id is null and s.id < $3
          and exists (select from attendances t where t.id = s.participant_id and t.org_id = $1 and t.call_id = $2)
        order by s.id desc limit $4)
    ) receipts order by id desc limit $4`,
};
const ofOrganization: Statement = {
  name: 'receipts_of_organization',
  text: `select ${columns} from consents s where s.org_id = $1 and s.id < $2 order by s.id desc limit $3`,
};

const shown = ({ roomId: _room, callId: _call, answeredAt, ...receipt }: Row): ConsentReceipt => ({
  ...receipt,
  answeredAt: answeredAt.toISOString(),
});

/** @throws DomainError 404 */
export function listReceipts(
  tenant: Tenant,
  call: CallId,
  { before, limit }: PageQuery,
): Promise<ConsentReceipt[]> {
  return tenant.connection(async ({ run }) => {
    if ((await run(callExists, [tenant.orgId, call])).length === 0) throw notFound();
    const rows = await run<Row>(ofCall, [tenant.orgId, call, before ?? greatestId, limit]);
    return rows.map(shown);
  });
}

const exported: readonly [string, (row: Row) => string][] = [
  ['answeredAt', ({ answeredAt }) => answeredAt.toISOString()],
  ['name', ({ name }) => name],
  ['kind', ({ kind }) => kind],
  ['asked', ({ asked }) => asked.join(' ')],
  ['agreed', ({ agreed }) => agreed.join(' ')],
  ['questionVersion', ({ questionVersion }) => String(questionVersion)],
  ['language', ({ language }) => language],
  ['question', ({ question }) => question],
  ['participantId', ({ participantId }) => participantId],
  ['roomId', ({ roomId }) => roomId],
  ['callId', ({ callId }) => callId ?? ''],
  ['id', ({ id }) => id],
];

/** Rows in memory at a time, and rows that the exports of one organization read together. */
const pageSize = 200;
const rate = new PacedTurns({ burst: 2 * pageSize, perSecond: 4_000 });
/** A reader who leaves is noticed with the next page. */
const open = new AbortController().signal;

/** Returns all receipts as CSV, read while it is sent, and records the export. */
export async function exportReceipts(tenant: Tenant): Promise<Readable> {
  await tenant.transaction((tx) =>
    recordEvent(tx, {
      action: 'CONSENTS_EXPORTED',
      entity: 'organization',
      entityId: tenant.orgId,
    }),
  );
  return Readable.from(linesOf(tenant));
}

async function* linesOf(tenant: Tenant): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(exported.map(([name]) => name));
  let before: string | undefined = greatestId;
  while (before !== undefined) {
    await rate.turn(tenant.orgId, `${actingAccount(tenant)}`, open, pageSize);
    await requireStillMay(tenant);
    const values = [tenant.orgId, before, pageSize];
    const rows: Row[] = await tenant.connection(({ run }) => run<Row>(ofOrganization, values), {
      through: (work) => exportTurns.run(tenant.orgId, work),
    });
    yield rows.map((row) => csvLine(exported.map(([, read]) => read(row)))).join('');
    before = rows.length < pageSize ? undefined : rows.at(-1)?.id;
  }
}
