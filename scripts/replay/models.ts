import { request } from 'node:http';
import { eventually, wait } from './eventually.ts';
import { type Finding, hold, prepared } from './finding.ts';
import type { Person } from './person.ts';

const questions = 6;
/** A coaching question allows an answer of 1,500 tokens, which nobody knows the length of once it is interrupted. */
const leastTokens = 1_000;

/** Sends a request, and leaves before its answer. */
async function leaveEarly(person: Person, path: string, body: object): Promise<void> {
  const { hostname, port } = new URL(person.base);
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const sent = request({
    ...{ host: '127.0.0.1', port, path, method: 'POST', agent: false },
    headers: {
      ...{ host: `${hostname}:${port}`, 'x-forwarded-for': person.address },
      ...{ 'content-type': 'application/json', cookie },
    },
  });
  sent.on('error', () => undefined);
  sent.end(JSON.stringify(body));
  await wait(1_500);
  sent.destroy();
}

const interruptedAnswers: Finding = {
  id: 'R19-14',
  when: 'aside',
  async attack(scene) {
    const admin = await scene.admin();
    await admin.call('PUT', '/api/ai/settings', { provider: 'compatible' });
    const { id: roomId } = await admin.call('POST', '/api/rooms', { topic: 'Interrupted' });
    const { id: callId } = await admin.call('POST', '/api/calls', { roomId });
    const before = scene.model.asked();
    for (let n = 0; n < questions; n += 1) {
      const conversationText = `Customer: the price is fine, all ${n} of them. Thanks a lot.`;
      await leaveEarly(admin, '/api/ai/generate-coaching', { callId, conversationText });
    }
    const asked = scene.model.asked() - before;
    prepared(asked >= questions, `the model was asked ${asked} of ${questions} questions`);
    const usage = async () => {
      const { usage: rows } = await admin.call('GET', '/api/ai/settings');
      return rows[0] ?? { answers: 0, inputTokens: 0, outputTokens: 0 };
    };
    await eventually(async () => (await usage()).answers >= questions, 10);
    const { answers, inputTokens, outputTokens } = await usage();
    const counted = inputTokens + outputTokens;
    hold(
      counted >= questions * leastTokens,
      `${asked} questions that were interrupted count ${counted} tokens (${answers} answers)`,
    );
    return `${asked} questions that were interrupted count ${counted} tokens`;
  },
};

export const modelFindings = [interruptedAnswers];
