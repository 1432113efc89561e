import type { Connection, Statement } from '#server/platform/database.ts';

/** Rows about a person in one table, read page by page. */
export interface Section {
  name: string;
  /** The unique name of its SQL statement. */
  statement: string;
  table: string;
  /** SQL over the table's alias, `t`. */
  row: string;
  where: string;
  /** The same condition where it costs less for a row that was found; `where` if absent. */
  ofRow?: string;
  values: readonly unknown[];
  /** Whether it is listed even without rows. */
  isShownEmpty: boolean;
}

/** Provides a connection for one page, if the reader is still authorized. */
export type ReadPage = <T>(use: (at: Pick<Connection, 'run'>) => Promise<T>) => Promise<T>;

/** Keys are short; a row may hold ten thousand characters, such as a line of a transcript that was corrected. */
const keysPerQuery = 5000;
const rowsPerPage = 25;

const primaryKeyOf: Statement = {
  name: 'primary_key_of',
  text: `select quote_ident(a.attname) as column
    from pg_constraint c, unnest(c.conkey) with ordinality k (number, place)
    join pg_attribute a on a.attrelid = $1::regclass and a.attnum = k.number
    where c.conrelid = $1::regclass and c.contype = 'p' order by k.place`,
};

/**
 * Yields the rows of a section in pages. It reads the keys first, in few queries, because finding a person's
 * rows may take a while each time. Then it reads the rows by their keys.
 */
export async function* pagesOf(read: ReadPage, section: Section): AsyncGenerator<unknown[]> {
  const columns = await read(({ run }) => run<{ column: string }>(primaryKeyOf, [section.table]));
  const keyColumns = columns.map(({ column }) => column);
  const keysAfter = keyQueryOf(section, keyColumns);
  const rowsByKeys = rowQueryOf(section, keyColumns);
  let last: string | null = null;
  do {
    const after: string | null = last;
    const found: { key: string }[] = await read(({ run }) =>
      run<{ key: string }>(keysAfter, [...section.values, after]),
    );
    for (let at = 0; at < found.length; at += rowsPerPage) {
      const keys = found.slice(at, at + rowsPerPage).map(({ key }) => key);
      const values = [...section.values, `[${keys.join(',')}]`];
      const rows = await read(({ run }) => run<{ row: unknown }>(rowsByKeys, values));
      yield rows.map(({ row }) => row);
    }
    last = found.length < keysPerQuery ? null : (found.at(-1)?.key ?? null);
  } while (last !== null);
}

/** Returns whether the section has any rows. */
export async function hasRows(read: ReadPage, { statement: name, table, where, values }: Section) {
  const statement = {
    name: `any_${name}`,
    text: `select exists (select from ${table} t where ${where}) as any`,
  };
  const [found] = await read(({ run }) => run<{ any: boolean }>(statement, [...values]));
  return found?.any === true;
}

function keyQueryOf(
  { statement: name, table, where, values }: Section,
  key: readonly string[],
): Statement {
  const last = `$${values.length + 1}::jsonb`;
  const ours = key.map((column) => `t.${column}`).join(', ');
  return {
    name: `keys_${name}`,
    text: `select jsonb_build_object(${key.map((column) => `'${column}', t.${column}`).join(', ')})::text as key
      from ${table} t where (${where})
        and (${last} is null
          or (${ours}) > (select ${key.join(', ')} from jsonb_populate_record(null::${table}, ${last})))
      order by ${ours} limit ${keysPerQuery}`,
  };
}

function rowQueryOf(
  { statement: name, table, row, where, ofRow = where, values }: Section,
  key: readonly string[],
): Statement {
  const keys = `jsonb_populate_recordset(null::${table}, $${values.length + 1}::jsonb)`;
  const same = key.map((column) => `x.${column} = k.${column}`).join(' and ');
  return {
    name: `rows_${name}`,
    // Without `offset 0`, PostgreSQL may search all of the person's rows again for each page.
    text: `select ${row} as row
      from ${keys} k, lateral (select * from ${table} x where ${same} offset 0) t
      where ${ofRow} order by ${key.map((column) => `t.${column}`).join(', ')}`,
  };
}
