import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';

/** Counts of PostgreSQL's protocol (Frontend/Backend Protocol 3.0). */
export interface ProtocolCounts {
  /** Executed statements: Execute and simple Query messages. */
  statements: number;
  /** Times that the client sent while no answer was outstanding, which costs a whole round trip. */
  trips: number;
}

/** Opens a socket in `folder` that forwards to the server whose socket is in `target`, and counts. */
export async function countingProxy(folder: string, target: string) {
  const name = '.s.PGSQL.5432';
  const counts: ProtocolCounts = { statements: 0, trips: 0 };
  const server = createServer((front) => {
    const back = createConnection(join(target, name));
    let owed = 0;
    const sent = messages((type) => {
      if (type === 'E' || type === 'Q') counts.statements += 1;
      if (type !== 'S' && type !== 'Q') return;
      if (owed === 0) counts.trips += 1;
      owed += 1;
    }, 'startup');
    const answered = messages((type) => {
      if (type === 'Z') owed = Math.max(0, owed - 1);
    }, 'typed');
    front.on('data', (data) => {
      sent(data);
      back.write(data);
    });
    back.on('data', (data) => {
      answered(data);
      front.write(data);
    });
    for (const [one, other] of [
      [front, back],
      [back, front],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(join(folder, name), resolve));
  return { counts, close: () => server.close() };
}

/** Splits a stream into messages: a type byte (except in a client's first one), a length, the rest. */
function messages(hear: (type: string) => void, first: 'startup' | 'typed') {
  let rest = Buffer.alloc(0);
  let untyped = first === 'startup';
  return (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const head = untyped ? 0 : 1;
      if (rest.length < head + 4) return;
      const length = head + rest.readUInt32BE(head);
      if (rest.length < length) return;
      if (!untyped) hear(String.fromCharCode(rest[0] ?? 0));
      untyped = false;
      rest = rest.subarray(length);
    }
  };
}
