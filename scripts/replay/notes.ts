import * as Y from 'yjs';
import { costlyNotes } from '#server/testing/costly-notes.ts';
import { eventually } from './eventually.ts';
import { type Finding, hold, prepared } from './finding.ts';
import { base64, worstFor } from './measure.ts';
import { enterAsHost, open, outcome, runningRoom, staffToken } from './rooms.ts';

/** A server whose event loop is blocked answers after 11 seconds and more; a busy machine answers sooner. */
const patienceMs = 5000;

const freezing: Finding = {
  id: 'H3',
  when: 'alone',
  async attack(scene) {
    const [mallory, corp] = [await scene.admin(), await scene.admin()];
    const { callId, id } = await runningRoom(mallory);
    const room = await runningRoom(corp);
    const line = await enterAsHost(scene, corp, room.id);
    const { stored, costly } = costlyNotes(5000, 2500);
    const put = (update: Uint8Array) =>
      mallory.send('PUT', `/api/calls/${callId}`, { notesUpdate: base64(update) });
    const first = await put(stored);
    prepared(first.status === 200, `the notes to begin with answer ${first.status}`);
    const panel = await open(scene, mallory.address, await staffToken(mallory, id), {
      channel: 'panel',
    });
    const opened = await outcome(panel);
    prepared(opened === 'in', `the panel was not opened: ${opened}`);
    const { result, worst, asked } = await worstFor(corp, async () => {
      const sent = [1, 2, 3].map(() => put(costly));
      panel.send({ type: 'note', id: 'costly', update: base64(costly) });
      const refused = panel.until('refused').then(
        ({ code }) => code,
        () => 'closed',
      );
      return [...(await Promise.all(sent)).map(({ status }) => status), await refused];
    });
    await line.settled();
    for (const one of [line, panel]) one.socket.terminate();
    hold(worst < patienceMs, `another organization waited ${worst} ms; answers ${result}`);
    return `four costly updates of ${Math.round(costly.length / 1024)} KB answer ${result.join(', ')}; another organization's ${asked} requests took ${worst} ms at most, its call stayed`;
  },
};

/** Returns an update that writes so many bytes into another part of the document. */
function junk(bytes: number): string {
  const doc = new Y.Doc();
  doc.getMap('junk').set('a', 'x'.repeat(bytes));
  return base64(Y.encodeStateAsUpdate(doc));
}

const unbounded: Finding = {
  id: 'H4',
  async attack(scene) {
    const mallory = await scene.admin();
    const { callId, id } = await runningRoom(mallory);
    const put = (notesUpdate: string) =>
      mallory.send('PUT', `/api/calls/${callId}`, { notesUpdate });
    const small = await put(junk(1000));
    const large = await put(junk(1_300_000));
    hold(
      small.status >= 400 && large.status >= 400,
      `junk answers ${small.status}, ${large.status}`,
    );
    const said = await panelAnswer(scene, mallory, id, junk(1000));
    hold(said === 'refused', `junk by the panel is ${said}`);
    const huge = await panelAnswer(scene, mallory, id, junk(4_200_000));
    hold(huge !== 'saved', '4.2 MB of junk by the panel is saved');
    let taken = 0;
    for (let n = 0; n < 40; n += 1) {
      const doc = new Y.Doc();
      doc.getText('notes').insert(0, `${n}`.padEnd(180_000, 'x'));
      doc.getText('notes').delete(0, 180_000);
      doc.getText('notes').insert(0, 'y'.repeat(180_000));
      const update = Y.encodeStateAsUpdate(doc);
      if ((await put(base64(update))).status === 200) taken += update.length;
    }
    hold(taken < 5_000_000, `${taken} bytes of notes were taken`);
    return `junk answers ${small.status} and ${large.status}, by the panel ${said}, 4.2 MB ${huge}; of 7.2 MB of text ${(taken / 1e6).toFixed(1)} MB was taken`;
  },
};

async function panelAnswer(
  scene: Parameters<Finding['attack']>[0],
  person: Parameters<typeof staffToken>[0],
  roomId: string,
  update: string,
): Promise<string> {
  const token = await staffToken(person, roomId);
  const panel = await open(scene, person.address, token, { channel: 'panel' });
  await panel.until('welcome');
  panel.send({ type: 'note', id: 'junk', update });
  let isClosed = false;
  panel.closed.then(() => {
    isClosed = true;
  });
  const heard = () => panel.heard.find(({ type }) => type === 'saved' || type === 'refused')?.type;
  await eventually(() => isClosed || heard() !== undefined, 15);
  const answer = heard() ?? (isClosed ? 'closed' : 'not answered');
  panel.socket.terminate();
  return answer;
}

const longLists: Finding = {
  id: 'M12',
  async attack(scene) {
    const ada = await scene.admin();
    const notesSnapshot = 'x'.repeat(1_100_000);
    for (let n = 0; n < 6; n += 1) {
      const { callId } = await runningRoom(ada);
      await ada.call('PUT', `/api/calls/${callId}`, { notesSnapshot });
    }
    const lists = await Promise.all(
      [1, 2, 3, 4, 5].map(() => ada.send('GET', '/api/calls?limit=200')),
    );
    const bytes = Math.max(...lists.map(({ text }) => text.length));
    const ms = Math.max(...lists.map((one) => one.ms));
    hold(bytes > 0 && bytes < 6 * 20_000, `the list of six calls has ${bytes} bytes`);
    return `the list of six calls with 1.1 MB of notes each has ${Math.round(bytes / 1024)} KB; five at once took ${ms} ms`;
  },
};

/** Returns the fewest milliseconds of each of two requests, sent in turns. */
async function fastest(times: number, ...requests: (() => Promise<{ ms: number }>)[]) {
  const best = requests.map(() => Number.POSITIVE_INFINITY);
  for (let n = 0; n < times; n += 1) {
    for (const [at, send] of requests.entries()) {
      const began = performance.now();
      await send();
      best[at] = Math.min(best[at] ?? 0, performance.now() - began);
    }
  }
  return best.map(Math.round);
}

const unread: Finding = {
  id: 'N4 (R14-6)',
  when: 'alone',
  async attack(scene) {
    const mallory = await scene.admin();
    const [long, short] = [await runningRoom(mallory), await runningRoom(mallory)];
    // Two bytes for each of its characters.
    const notesSnapshot = `→ ${'Ada: we are happy about the plan. '.repeat(34_000)}`;
    const put = await mallory.send('PUT', `/api/calls/${long.callId}`, { notesSnapshot });
    prepared(put.status === 200, `the long notes answer ${put.status}`);
    const items = (callId: string) => () =>
      mallory.send('GET', `/api/calls/${callId}/action-items`);
    const [withNotes = 0, without = 0] = await fastest(60, items(long.callId), items(short.callId));
    const observed = `the action items of a call with ${notesSnapshot.length} characters of notes answer in ${withNotes} ms, without notes in ${without} ms`;
    hold(withNotes <= 1.5 * without + 2, observed);
    return observed;
  },
};

export const noteFindings = [unread, freezing, unbounded, longLists];
