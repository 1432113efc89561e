import pg from 'pg';

/** A statement that the application sent, with its values. */
export interface Sent {
  text: string;
  values: readonly unknown[];
}

/** One node of a plan, as PostgreSQL's EXPLAIN (FORMAT JSON) names its parts. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Sort Space Type'?: 'Memory' | 'Disk';
  Plans?: PlanNode[];
}

const genuine = pg.Client.prototype.query;

/**
 * Records what pooled connections send, from a client's first query on. Call it before the pool opens.
 * @returns the record while `isOn`, and an end that restores the driver
 */
export function recordStatements() {
  const record = { isOn: false, sent: new Map<string, Sent>(), end: () => {} };
  pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
    const [first, second] = args;
    const { text = String(first), values = second } = (
      typeof first === 'object' ? first : {}
    ) as Partial<Sent>;
    if (record.isOn && /^\s*(with|select|update|delete)\b/i.test(text)) {
      record.sent.set(text, { text, values: Array.isArray(values) ? values : [] });
    }
    return Reflect.apply(genuine, this, args);
  } as typeof genuine;
  record.end = () => {
    pg.Client.prototype.query = genuine;
  };
  return record;
}

/**
 * Runs the statement again and takes its changes back.
 * @param generic whether the plan is for any values, as a prepared statement soon has it
 * @returns the nodes of its plan
 */
export async function planOf(
  client: pg.Client,
  { text, values }: Sent,
  generic: boolean,
): Promise<PlanNode[]> {
  const literals = values.map((value) => literalOf(client, value)).join(', ');
  const run = (statement: string) =>
    Reflect.apply(genuine, client, [statement]) as unknown as Promise<
      pg.QueryResult<{ 'QUERY PLAN': { Plan: PlanNode }[] }>
    >;
  await run('begin');
  try {
    await run(`set local plan_cache_mode = force_${generic ? 'generic' : 'custom'}_plan`);
    await run(`prepare examined as ${text}`);
    const execute = `execute examined${values.length > 0 ? `(${literals})` : ''}`;
    const { rows } = await run(`explain (analyze, format json) ${execute}`);
    return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)));
  } finally {
    await run('rollback');
    await run('deallocate all');
  }
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

function literalOf(client: pg.Client, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return client.escapeLiteral(value.toISOString());
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  if (Array.isArray(value)) {
    const items = value.map((item) => JSON.stringify(String(item))).join(',');
    return client.escapeLiteral(`{${items}}`);
  }
  return client.escapeLiteral(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Rows that a node has read: those that it returned, and those that its filter dropped. */
export const rowsRead = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
