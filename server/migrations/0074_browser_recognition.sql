-- Whether the browsers of participants may recognize their speech, on the device alone: a setting of an organization,
-- `start` or `off`, and off without a row.
alter table capture_settings
  drop constraint capture_settings_kind,
  add constraint capture_settings_kind check (kind in ('recording', 'transcript', 'analysis', 'browser')),
  add constraint capture_settings_browser
    check (kind <> 'browser' or (room_id is null and mode in ('off', 'start')));
