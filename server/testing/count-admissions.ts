import { vi } from 'vitest';
import type { Database } from '#server/platform/database.ts';
import type { TestApp } from './open-test-app.ts';

/** Counts the look-ups of participants from now on. */
export function countAdmissions(app: TestApp): { count: number } {
  const counted = { count: 0 };
  const { database } = app.services;
  const original = database.connection;
  const counting: Database['connection'] = (tenant, use) =>
    original(tenant, (connection) =>
      use({
        ...connection,
        run: (statement, values) => {
          if (statement.name === 'admission') counted.count += 1;
          return connection.run(statement, values);
        },
      }),
    );
  vi.spyOn(database, 'connection').mockImplementation(counting);
  return counted;
}
