import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server for TXT records only (RFC 1035): those that a test publishes. */
export async function startNameServer() {
  const records = new Map<string, string>();
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end } = readName(query);
    const text = records.get(name);
    const head = Buffer.from(query.subarray(0, 12));
    // Authoritative answer; NXDOMAIN if nothing was published.
    head.writeUInt16BE(text === undefined ? 0x8403 : 0x8400, 2);
    head.writeUInt16BE(text === undefined ? 0 : 1, 6);
    head.fill(0, 8);
    const question = query.subarray(12, end + 4);
    socket.send(
      Buffer.concat([head, question, text === undefined ? Buffer.of() : answer(text)]),
      from.port,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    publish: (name: string, text: string) => void records.set(name, text),
    close: () => void socket.close(),
  };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += length + 1;
  }
  return { name: labels.join('.'), end: at + 1 };
}

/** A pointer to the question's name, type TXT, class IN, TTL 0. */
function answer(text: string): Buffer {
  const content = Buffer.from(text);
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, 0, content.length]);
  head.writeUInt16BE(content.length + 1, 10);
  return Buffer.concat([head, content]);
}
