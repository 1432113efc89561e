import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { listening } from './listening.ts';

/** Serves one page, and a socket that forwards messages between the two in a room. */
const page = readFileSync(join(import.meta.dirname, 'meeting.html'));
const rooms = new Map<string, Set<WebSocket>>();

const http = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'max-age=3600' });
  response.end(page);
});

new WebSocketServer({ server: http }).on('connection', (socket, request) => {
  const name = request.url ?? '';
  const room = rooms.get(name) ?? new Set<WebSocket>();
  rooms.set(name, room.add(socket));
  socket.send(JSON.stringify(room.size === 2 ? { offerNow: true } : { first: true }));
  socket.on('message', (data) => {
    for (const other of room) if (other !== socket) other.send(String(data));
  });
  socket.on('close', () => room.delete(socket));
});

listening(http);
