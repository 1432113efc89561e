import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { orgId } from '#domain/ids.ts';
import { AnswerReader } from './answer-reader.ts';
import type { AnswerTurns } from './answer-turns.ts';
import type { PacedTurns } from './paced-turns.ts';

const org = orgId.parse('019b0000-0000-7000-8000-000000000001');

/** Begins to read a long answer, and returns what the organization was charged for it in the end. */
async function begin(method: 'GET' | 'PUT') {
  const charged: number[] = [];
  const answers = {
    short: () => null,
    isLong: () => true,
    begin: async (group: string, _who: string, path: string) => ({ group, path, bytes: 1000 }),
    end: (_charge: unknown, bytes: number) => void charged.push(bytes),
  } as unknown as AnswerTurns;
  const socket = { bytesWritten: 0, writableLength: 0, destroyed: false };
  const request = { method, ip: '192.0.2.1', raw: { socket } } as unknown as FastifyRequest;
  const reply = { raw: { headersSent: false } } as unknown as FastifyReply;
  const reader = new AnswerReader(request, reply, { answers, files: {} as PacedTurns });
  reader.countFor(org, 'ada', `${method} /api/calls/:id`);
  await reader.wait();
  return { reader, charged };
}

test('R19-67: a request that its client drops costs what it makes', async () => {
  const { reader, charged } = await begin('GET');
  reader.close();
  expect(charged, 'nothing is given back').toEqual([]);
  reader.spend(5000);
  expect(charged).toEqual([5000]);
});

test('R19-67: nothing more is read for a client that is gone, but a change goes on', async () => {
  const reading = await begin('GET');
  reading.reader.close();
  await expect(reading.reader.wait()).rejects.toMatchObject({ status: 429 });
  const changing = await begin('PUT');
  changing.reader.close();
  await changing.reader.wait();
});

test('R19-51: what was made counts where less is sent', async () => {
  const { reader, charged } = await begin('GET');
  reader.made(9000);
  reader.spend(200);
  expect(charged).toEqual([9000]);
});
