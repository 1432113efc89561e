-- Sites on a person's own computer need no https (domain/embedding/origin.ts).
alter table embedding_origins
  drop constraint embedding_origins_origin,
  add constraint embedding_origins_origin check (
    origin ~ '^(https://[a-z0-9.:[\]-]+|http://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?)$'
    and length(origin) <= 300
  );
