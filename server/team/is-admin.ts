/**
 * SQL for whether the person who made a row is an admin of its organization now.
 * @param row a table that has org_id and created_by
 */
export const isMadeByAdmin = (row: string) => `exists (
    select from memberships m
    where m.org_id = ${row}.org_id and m.account_id = ${row}.created_by
      and m.role in ('SUPERADMIN', 'ORGADMIN'))`;
