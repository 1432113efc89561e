-- The id that a page gave its answer, so that an answer that is sent again is stored once.
alter table consents add column client_id text not null;
alter table consents add constraint consents_client_id check (length(client_id) between 1 and 64);
alter table consents add constraint consents_once unique (org_id, participant_id, client_id);
