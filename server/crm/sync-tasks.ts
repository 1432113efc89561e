import type { LoggedCall, LoggedItem } from '#domain/crm/call-text.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { type Contact, type Crm, unlessMissing } from '#server/providers/crm/port.ts';
import { digestOf } from './digest.ts';
import type { CrmSession } from './session.ts';

const tasksOfSync: Statement = {
  name: 'crm_tasks_of_sync',
  text: `select item_id as "itemId", remote_id as "remoteId", digest from crm_tasks
    where org_id = $1 and sync_id = $2`,
};
const keepTask: Statement = {
  name: 'keep_crm_task',
  text: `insert into crm_tasks (org_id, sync_id, item_id, remote_id, digest)
    select $1, id, $3, $4, $5 from crm_syncs where org_id = $1 and id = $2
    on conflict (sync_id, item_id) do update set remote_id = excluded.remote_id, digest = excluded.digest`,
};
const forgetTask: Statement = {
  name: 'forget_crm_task',
  text: 'delete from crm_tasks where org_id = $1 and sync_id = $2 and item_id = $3',
};

interface TaskRow {
  itemId: string;
  remoteId: string;
  digest: string;
}

interface TaskSync {
  tenant: Tenant;
  crm: Crm;
  session: CrmSession;
  syncId: string;
  /** When the turn is over (performance.now). */
  until: number;
}
interface ItemSync extends TaskSync {
  /** Returns an item as it is now; null if it is gone. */
  read: (item: string) => Promise<LoggedItem | null>;
}

/**
 * Makes the vendor's tasks those of `items`. What was removed since they were read is not sent.
 * @param mayCreate whether items without a task get one
 * @returns the number of changes, and whether all was done in this turn
 * @throws CrmFailure
 */
export async function syncTasks(
  at: ItemSync,
  {
    call,
    items,
    contact,
    mayCreate,
  }: { call: LoggedCall; items: LoggedItem[]; contact: Contact; mayCreate: boolean },
): Promise<{ changes: number; isDone: boolean }> {
  const known = new Map((await readTasks(at)).map((task) => [task.itemId, task]));
  let changes = 0;
  for (const item of items) {
    const task = known.get(item.id);
    known.delete(item.id);
    if (task ? task.digest === digestOf(at.crm.taskFields(item, call)) : !mayCreate) continue;
    if (performance.now() > at.until) return { changes, isDone: false };
    if (await sendTask(at, item.id, task ?? null, { call, contact })) changes += 1;
  }
  for (const task of known.values()) {
    if (performance.now() > at.until) return { changes, isDone: false };
    await removeTask(at, task);
    changes += 1;
  }
  return { changes, isDone: true };
}

/** @returns false if the item is gone: the next turn deletes its task */
async function sendTask(
  at: ItemSync,
  id: string,
  task: TaskRow | null,
  { call, contact }: { call: LoggedCall; contact: Contact },
): Promise<boolean> {
  const { crm, session } = at;
  const sent = await session.use(async (access) => {
    const item = await at.read(id);
    if (!item) return null;
    const fields = crm.taskFields(item, call);
    if (!task) return { fields, remoteId: await crm.create(access, 'task', contact, fields) };
    // Deleted there by someone: it stays so.
    await crm.update(access, 'task', task.remoteId, fields).catch(unlessMissing);
    return { fields, remoteId: task.remoteId };
  });
  if (!sent) return false;
  await run(at, keepTask, [id, sent.remoteId, digestOf(sent.fields)]);
  return true;
}

/** Deletes all tasks at the vendor. @returns whether all was done in this turn */
export async function removeTasks(at: TaskSync): Promise<boolean> {
  for (const task of await readTasks(at)) {
    if (performance.now() > at.until) return false;
    await removeTask(at, task);
  }
  return true;
}

async function removeTask(at: TaskSync, { itemId, remoteId }: TaskRow): Promise<void> {
  await at.session.use((access) => at.crm.remove(access, 'task', remoteId));
  await run(at, forgetTask, [itemId]);
}

const readTasks = ({ tenant, syncId }: TaskSync) =>
  tenant.connection((connection) =>
    connection.run<TaskRow & Record<string, unknown>>(tasksOfSync, [tenant.orgId, syncId]),
  );

const run = ({ tenant, syncId }: TaskSync, statement: Statement, values: unknown[]) =>
  tenant.connection((at) => at.run(statement, [tenant.orgId, syncId, ...values]));
