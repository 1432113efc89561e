import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Finding, hold, prepared } from './finding.ts';
import { keepSending } from './measure.ts';
import type { Person } from './person.ts';
import { open, previewToken, runningRoom, staffToken } from './rooms.ts';

// What has a bound in bytes, places, or lines, and no rate of work. Numbers of a fast sender are compared with what
// the documented rates allow, so that other programs on the machine change nothing.

const seconds = 5;
/** Notes near their limit. */
const longNotes = 'word and more '.repeat(80_000);
/** What 4 MB at once and 4 MB a second are of answers with these notes, and as many again for the beginning. */
const fewLongAnswers = 2 * Math.ceil((4_200_000 * (1 + seconds)) / longNotes.length);

const unsentAnswers: Finding = {
  id: 'R19-51 (304 and 412 of long answers)',
  when: 'alone',
  async attack(scene) {
    const eve = await scene.admin();
    const { callId } = await runningRoom(eve);
    const path = `/api/calls/${callId}`;
    await eve.call('PUT', path, { notesSnapshot: longNotes });
    const known = { headers: { 'if-none-match': '*' } };
    const { status } = await eve.send('GET', path, undefined, known);
    prepared(status === 304, `the call answers ${status} instead of 304`);
    const read = await keepSending(8, seconds, () => eve.send('GET', path, undefined, known));
    const stale = { headers: { 'if-match': '"x"' } };
    const changed = await keepSending(8, seconds, () => eve.send('PUT', path, {}, stale));
    const most = Math.max(read, changed);
    hold(
      most <= fewLongAnswers,
      `${read} answers of 1.1 MB were made in ${seconds} seconds for 304, ${changed} for 412`,
    );
    return `${read} answers were made for 304 and ${changed} for 412 in ${seconds} seconds`;
  },
};

const longPublicAnswers: Finding = {
  id: 'R19-52 (long answers without an account)',
  when: 'alone',
  async attack(scene) {
    const visitors = Array.from({ length: 10 }, () => scene.visitor());
    const rates: string[] = [];
    for (const path of ['/api/openapi.json', '/docs/api']) {
      let bytes = 0;
      let turn = 0;
      await keepSending(20, seconds, async () => {
        turn += 1;
        const { text } = await (visitors[turn % visitors.length] as Person).send('GET', path);
        bytes += text.length;
      });
      const perSecond = Math.round(bytes / seconds / 1_000_000);
      hold(perSecond < 60, `${path}: ten visitors got ${perSecond} MB a second`);
      rates.push(`${path} ${perSecond} MB/s`);
    }
    return `ten visitors got ${rates.join(', ')}`;
  },
};

/** A receiver that answers at once, and counts. */
async function receiver() {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, count: () => count, close: () => server.close() };
}

const fastReceivers: Finding = {
  id: 'R19-55 (deliveries to a fast receiver)',
  when: 'alone',
  async attack(scene) {
    const eve = await scene.admin();
    const fast = await receiver();
    const webhook = { url: fast.url, description: '', events: ['room.created'] };
    for (let n = 0; n < 20; n += 1) await eve.call('POST', '/api/webhooks', webhook);
    const sent = await keepSending(4, seconds, () => createRoom(eve));
    const made = fast.count();
    for (const { id } of await eve.call('GET', '/api/webhooks'))
      await eve.call('DELETE', `/api/webhooks/${id}`);
    fast.close();
    prepared(sent > 50, `only ${sent} rooms were created`);
    const perSecond = Math.round(made / seconds);
    hold(perSecond < 150, `${sent} rooms caused ${perSecond} deliveries a second`);
    return `${sent} rooms caused ${perSecond} deliveries a second`;
  },
};

const createRoom = (by: Person) => by.call('POST', '/api/rooms', { topic: 'Review' });

const unchangedChecklists: Finding = {
  id: 'R19-61 (choosing the playbook that a call has)',
  async attack(scene) {
    const eve = await scene.admin();
    const checklistItems = Array.from({ length: 200 }, () => ({ text: 'x' }));
    const playbook = { title: 'Review', description: '', checklistItems };
    const { id: playbookId } = await eve.call('POST', '/api/playbooks', playbook);
    const room = await runningRoom(eve, { playbookId });
    const panel = await open(scene, eve.address, await staffToken(eve, room.id), {
      channel: 'panel',
    });
    await panel.until('checklist');
    await panel.settled();
    const before = panel.all('checklist').length;
    const path = `/api/calls/${room.callId}/playbook`;
    for (let n = 0; n < 10; n += 1) await eve.call('PUT', path, { playbookId });
    await panel.settled();
    panel.socket.terminate();
    const told = panel.all('checklist').length - before;
    hold(
      told === 0,
      `ten requests that changed nothing sent ${told} whole checklists to each panel`,
    );
    return 'ten requests that change nothing are told to no panel';
  },
};

const answersOutside: Finding = {
  id: 'R19-64 (answers of guests in the preview)',
  async attack(scene) {
    const eve = await scene.admin();
    const room = await runningRoom(eve);
    const pages = await Promise.all(
      Array.from({ length: 10 }, () => previewToken(scene, scene.visitor(), room.link)),
    );
    const count = 80;
    for (const { line } of pages)
      for (let n = 0; n < count; n += 1)
        line.send({
          type: 'consent',
          id: `${n}`,
          asked: ['recording'],
          agreed: [],
          questionVersion: 1,
          language: 'en',
        });
    // Of an organization's guests, 400 such messages at once and 6 a second are handled (work-budget.ts).
    const handled = await Promise.allSettled(pages.map(({ line }) => line.settled()));
    for (const { line } of pages) line.socket.terminate();
    const all = handled.filter(({ status }) => status === 'fulfilled').length;
    hold(
      all < pages.length,
      `${pages.length * count} answers of guests in the preview were stored within 15 seconds`,
    );
    return `of ${pages.length} guests with ${count} answers each, ${all} were heard within 15 seconds`;
  },
};

export const rateFindings: Finding[] = [
  unsentAnswers,
  longPublicAnswers,
  fastReceivers,
  unchangedChecklists,
  answersOutside,
];
