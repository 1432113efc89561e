-- Whose the file store is: a file there names the mark of the database that uses it, and both change each night. A
-- second installation with the same store, such as one of a backup, finds another mark, and deletes nothing that it does
-- not know.
create table file_store_mark (
  is_only boolean primary key default true,
  mark uuid,
  -- Set while the file is written.
  next_mark uuid,
  constraint file_store_mark_is_only check (is_only)
);
insert into file_store_mark default values;
