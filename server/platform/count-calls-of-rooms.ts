import type pg from 'pg';

/**
 * Counts the calls of rooms from before rooms had the number. Calls that start or are deleted meanwhile are
 * counted by triggers, which wait for the room's row.
 * @param client the owner's connection, outside of a transaction
 */
export async function countCallsOfRooms(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'select id from rooms where call_count is null order by id',
  );
  for (const { id } of rows) {
    await client.query('begin');
    // A statement of its own, so that the next one sees what others have committed before.
    await client.query('select 1 from rooms where id = $1 for no key update', [id]);
    await client.query(
      `with months as (
          select date_trunc('month', created_at at time zone 'UTC')::date as month, count(*) as calls
          from calls c where c.room_id = $1 and c.org_id = (select org_id from rooms where id = $1)
          group by 1
        )
        update rooms set call_count = coalesce((select sum(calls) from months), 0),
          newest_month = (select max(month) from months),
          calls_in_month = coalesce((select calls from months order by month desc limit 1), 0)
        where id = $1 and call_count is null`,
      [id],
    );
    await client.query('commit');
  }
}
