import { setTimeout as sleep } from 'node:timers/promises';
import { prepareRoom } from '../e2e/support/api.ts';
import { discard, startProgram } from '../e2e/support/program.ts';
import { attackFor, preparedNotes } from './support/bounded-attack.ts';
import { probeInThread } from './support/probe-thread.ts';
import { sessionCookie } from './support/sign-in.ts';
import { quantile } from './statistics.ts';
const program = await startProgram({ RATE_LIMIT_SCALE: '1', NODE_OPTIONS: '--import=/tmp/profhook.mjs' });
try {
  const { user, roomId } = await prepareRoom(program.url, 'Attack');
  const { orgId } = await user.send<{ orgId: string }>('GET', '/api/user');
  const call = await user.send<{ id: string }>('POST', '/api/calls', { roomId });
  await user.send('PUT', `/api/calls/${call.id}`, preparedNotes);
  const room = await user.send<{ meetingToken: string }>('GET', `/api/rooms/${roomId}`);
  const attacker = { url: program.url, cookie: await sessionCookie(program.url, 'Attack'), orgId, callId: call.id, panelToken: room.meetingToken };
  await prepareRoom(program.url, 'Calm');
  const cookie = await sessionCookie(program.url, 'Calm');
  const rooms = { url: `${program.url}/api/rooms`, cookie, pauseMs: 20, seconds: 12 };
  await probeInThread({ ...rooms, seconds: 4 });
  process.kill(program.process.pid!, 'SIGUSR2');
  const [count, times] = await Promise.all([attackFor(attacker, 12), probeInThread(rooms)]);
  process.kill(program.process.pid!, 'SIGUSR2');
  await sleep(3000);
  console.log(count, quantile(times, 0.5), quantile(times, 0.9), quantile(times, 0.99), quantile(times, 0.999));
} finally { await discard(program); }
