import { expect, test } from 'vitest';
import { ServerClock } from './server-clock.ts';

test('the quickest of the requests tells the server’s time, and its own work does not count', () => {
  const clock = new ServerClock();
  expect(clock.ofServer(0)).toBeNull();
  // The server is 7 s ahead. 400 ms on the way there, 1000 ms of work, 20 ms back.
  clock.note({ sentAt: 0, receivedAt: 7_400, answeredAt: 8_400, heardAt: 1_420 });
  expect(clock.ofServer(1_000)).toBe(8_190);
  // 10 ms there, 3000 ms of work, 10 ms back.
  clock.note({ sentAt: 2_000, receivedAt: 9_010, answeredAt: 12_010, heardAt: 5_020 });
  expect(clock.ofServer(1_000)).toBe(8_000);
  clock.note({ sentAt: 6_000, receivedAt: 13_300, answeredAt: 13_300, heardAt: 6_320 });
  expect(clock.ofServer(1_000)).toBe(8_000);
});

test('a request during which a clock was set tells nothing', () => {
  const clock = new ServerClock();
  clock.note({ sentAt: 10_000, receivedAt: 10_005, answeredAt: 10_006, heardAt: 9_000 });
  expect(clock.ofServer(0)).toBeNull();
});
