-- The audit log by what happened and by who did it; by time it is sorted as it is, for its ids are.
create index audit_events_by_action on audit_events (org_id, action, id desc);
create index audit_events_by_person on audit_events (org_id, actor_id, id desc)
  where actor_kind = 'user';
