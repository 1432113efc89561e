import type { Server } from 'node:http';

/** Listens on a free port of 127.0.0.1, reports it to the parent process, and ends with it. */
export function listening(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object' && address) process.send?.({ port: address.port });
  });
  process.on('disconnect', () => process.exit());
}
