import type pg from 'pg';

/** An index of a table that grows, built while other processes write to the table. */
interface LateIndex {
  name: string;
  on: string;
  /** The index that it makes superfluous. */
  replaces?: string;
}

const lateIndexes: LateIndex[] = [
  // Row-level security compares the organization in every query, so an index without it may be combined with
  // one of all the organization's calls.
  {
    name: 'calls_of_room_in_organization',
    on: 'calls (org_id, room_id, id desc)',
    replaces: 'calls_of_room',
  },
  // What an admin looks up of a guest, by a name or an address in lower case.
  {
    name: 'chat_messages_by_guest_name',
    on: `chat_messages (org_id, lower(name)) where kind = 'guest'`,
  },
  { name: 'lobby_entries_by_name', on: 'lobby_entries (org_id, lower(name))' },
  { name: 'ratings_of_attendance', on: 'ratings (org_id, attendance_id)' },
  // The newest ratings of a call that thousands of guests have rated (calls/call-details.ts).
  { name: 'ratings_of_call_by_time', on: 'ratings (call_id, updated_at)' },
  // The newest one of staff, which counts.
  { name: 'ratings_of_staff', on: `ratings (call_id, updated_at, id) where kind = 'staff'` },
  // Answers to the question of consent that were given before the call (consent/receipts.ts).
  {
    name: 'consents_before_calls',
    on: 'consents (org_id, room_id, id desc) where call_id is null',
  },
  // What happens in an organization's rooms at this moment (notices/rooms-now.ts).
  {
    name: 'calls_running_in_organization',
    on: 'calls (org_id) where ended_at is null',
    replaces: 'calls_running_of_organization',
  },
  {
    name: 'lobby_entries_present',
    on: `lobby_entries (org_id, room_id) where state = 'waiting' and left_at is null`,
  },
  { name: 'mails_of_recipient', on: 'mails (org_id, recipient) where org_id is not null' },
  // The first attendance of a member in a call that guests have attended by thousands (consent/same-person.ts).
  {
    name: 'attendances_of_account_in_call',
    on: 'attendances (call_id, account_id, joined_at, id) where account_id is not null',
  },
  // Deleting an account clears these, and erasing a person looks for them. Without an index, each reads the rows of all
  // organizations.
  ...[
    ['action_item_lists', 'created_by'],
    ['call_checklist_items', 'checked_by'],
    ['call_note_updates', 'created_by'],
    ['call_removals', 'removed_by'],
    ['calls', 'locked_by'],
    ['calls', 'started_by'],
    ['captures', 'started_by'],
    ['captures', 'stopped_by'],
    ['embed_tokens', 'created_by'],
    ['files', 'created_by'],
    ['guest_links', 'created_by'],
    ['guest_links', 'revoked_by'],
    ['invitations', 'accepted_by'],
    ['invitations', 'cancelled_by'],
    ['invitations', 'created_by'],
    ['legal_holds', 'placed_by'],
    ['lobby_entries', 'decided_by'],
    ['lobby_entries', 'said_by'],
    ['passkey_challenges', 'account_id'],
    ['playbooks', 'archived_by'],
    ['playbooks', 'created_by'],
    ['playbooks', 'updated_by'],
    ['ratings', 'account_id'],
    ['recording_removals', 'removed_by'],
    ['recording_shares', 'created_by'],
    ['recording_shares', 'revoked_by'],
    ['room_opening_hours', 'changed_by'],
    ['room_slugs', 'created_by'],
    ['rooms', 'archived_by'],
    ['rooms', 'created_by'],
    ['rooms', 'lobby_by'],
    ['transcript_lines', 'corrected_by'],
  ].map(([table, column]) => ({
    name: `${table}_by_${column}`,
    on: `${table} (${column}) where ${column} is not null`,
  })),
  {
    name: 'action_items_of_assignee',
    on: 'action_items (assignee_id) where assignee_id is not null',
  },
  { name: 'action_items_of_editor', on: 'action_items (edited_by) where edited_by is not null' },
  {
    name: 'action_items_of_completer',
    on: 'action_items (completed_by) where completed_by is not null',
  },
  { name: 'invitations_of_address', on: 'invitations (org_id, email)' },
  // The orders and filters of the list of calls (call-lists/filter-calls.ts).
  { name: 'counted_calls_by_day', on: 'counted_calls (org_id, day, call_id)' },
  { name: 'counted_calls_of_room', on: 'counted_calls (org_id, room_id, day, call_id)' },
  { name: 'counted_calls_of_playbook', on: 'counted_calls (org_id, playbook_id, day, call_id)' },
  { name: 'counted_calls_of_agent_by_day', on: 'counted_calls (org_id, agent_id, day, call_id)' },
  {
    name: 'counted_calls_of_agent_in_room',
    on: 'counted_calls (org_id, room_id, agent_id, day, call_id)',
  },
  {
    name: 'counted_calls_of_agent_with_playbook',
    on: 'counted_calls (org_id, playbook_id, agent_id, day, call_id)',
  },
  {
    name: 'counted_calls_by_score',
    on: 'counted_calls (org_id, score_sum, call_id) where scores = 1',
  },
  { name: 'calls_by_duration', on: 'calls (org_id, duration_sec, id) where ended_at is not null' },
];

/**
 * Builds what is missing of the indexes that a migration would lock a large table for. One that was interrupted
 * is built again.
 * @param client the owner's connection, outside of a transaction
 */
export async function buildIndexes(client: pg.Client): Promise<void> {
  for (const { name, on, replaces } of lateIndexes) {
    const { rows } = await client.query<{ valid: boolean }>(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass($1)`,
      [name],
    );
    const [found] = rows;
    if (found && !found.valid) await client.query(`drop index concurrently ${name}`);
    if (!found?.valid) await client.query(`create index concurrently ${name} on ${on}`);
    if (replaces) await client.query(`drop index concurrently if exists ${replaces}`);
  }
}
