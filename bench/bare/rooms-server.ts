import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { listening } from './listening.ts';

/**
 * `GET /api/rooms` with nothing around it: the same lookup of a session or an API token, and the same query under the
 * same row-level security, by the same driver with the same settings, and JSON.stringify. The SQL is a copy on
 * purpose: if Rapport's gets slower, the ratio shows it. If it gets faster, the copy must follow.
 */
const findToken = { name: 'find_api_token', text: 'select * from find_api_token($1)' };
const findSession = { name: 'find_session', text: 'select * from find_session($1)' };
const pageOfRooms = {
  name: 'page_of_rooms',
  text: `select r.id, r.topic, r.archived_at, r.lobby_at, r.created_at, r.playbook_id, p.title as playbook_title,
      case when a.id is null then null
        else json_build_object('firstName', a.first_name, 'email', a.email) end as creator,
      case when r.archived_by is null then null
        else (select json_build_object('firstName', b.first_name, 'email', b.email)
          from accounts b where b.id = r.archived_by) end as archiver,
      (select coalesce(json_agg(json_build_object('id', newest.id)), '[]')
         from (select c.id from calls c where c.room_id = r.id order by c.id desc limit 20) newest
      ) as calls,
      r.call_count, r.sample_set_id is not null as is_sample, r.customer_email
    from rooms r
    left join accounts a on a.id = r.created_by
    left join playbooks p on p.org_id = r.org_id and p.id = r.playbook_id
    where r.org_id = $1 and r.id < $2 and r.personal_of is null and r.archived_at is null
      and ($4 = '' or position(lower($4) in lower(r.topic)) > 0)
    order by r.id desc limit $3`,
};
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const settings = { max: 20, pipeline: true, ...JSON.parse(process.env.BENCH_DATABASE ?? '{}') };
const pool = new pg.Pool(settings);
const tenants = new WeakMap<pg.PoolClient, string>();

async function callerOf({ headers }: IncomingMessage): Promise<{ org_id: string } | undefined> {
  const bearer = headers.authorization?.slice('Bearer '.length);
  const cookie = /(?:^|; )rapport_session=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? '';
  const hash = createHash('sha256')
    .update(bearer ?? cookie)
    .digest();
  const client = await pool.connect();
  try {
    const find = bearer === undefined ? findSession : findToken;
    return (await client.query({ ...find, values: [hash] })).rows[0];
  } finally {
    client.release();
  }
}

async function roomsOf(org: string): Promise<object[]> {
  const client = await pool.connect();
  try {
    if (tenants.get(client) !== org) {
      tenants.set(client, org);
      client.query("select set_config('app.tenant', $1, false)", [org]);
    }
    const found = await client.query({ ...pageOfRooms, values: [org, lastId, 100, ''] });
    return found.rows.map((row) => ({
      id: row.id,
      topic: row.topic,
      status: row.archived_at ? 'archived' : 'active',
      createdAt: row.created_at.toISOString(),
      createdBy: row.creator,
      archivedAt: row.archived_at?.toISOString() ?? null,
      archivedBy: row.archiver,
      lobbySince: row.lobby_at?.toISOString() ?? null,
      playbookId: row.playbook_id,
      playbook: row.playbook_id ? { id: row.playbook_id, title: row.playbook_title } : null,
      calls: row.calls,
      callCount: row.call_count,
      ...(row.customer_email === null ? {} : { customerEmail: row.customer_email }),
      ...(row.is_sample ? { sample: true } : {}),
    }));
  } finally {
    client.release();
  }
}

listening(
  createServer(async (request, response) => {
    const caller = await callerOf(request);
    if (!caller) {
      response.writeHead(401).end();
      return;
    }
    const body = JSON.stringify(await roomsOf(caller.org_id));
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  }),
);
