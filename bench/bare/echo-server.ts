import { createServer } from 'node:http';
import pg from 'pg';
import { WebSocketServer } from 'ws';
import { listening } from './listening.ts';

/** Echoes each message once a row with it is committed. */
const client = new pg.Client(JSON.parse(process.env.BENCH_DATABASE ?? '{}'));
await client.connect();
await client.query('create table if not exists bench_echo (id bigserial primary key, said text)');
const insert = { name: 'echo', text: 'insert into bench_echo (said) values ($1)' };

const http = createServer((_request, response) => {
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end('<!doctype html><title>echo</title>');
});
new WebSocketServer({ server: http }).on('connection', (socket) => {
  socket.on('message', async (data) => {
    const said = String(data);
    await client.query({ ...insert, values: [said] });
    socket.send(said);
  });
});

listening(http);
