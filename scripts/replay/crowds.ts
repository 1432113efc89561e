import * as Y from 'yjs';
import { costlyNotes } from '#server/testing/costly-notes.ts';
import type { LiveClient } from '#server/testing/live-client.ts';
import { plainPicture, slowPicture, uploadLogo } from './bodies.ts';
import { eventually, wait } from './eventually.ts';
import { type Finding, hold } from './finding.ts';
import { base64 } from './measure.ts';
import { open, runningRoom, staffToken } from './rooms.ts';
import type { Scene } from './scene.ts';

// Anyone who registers gets an organization, so a quota per organization is a quota per
// registration.

/** Types one letter after another and returns how long each took until it was saved, in ms. */
async function typeFor(panel: LiveClient, seconds: number): Promise<number[]> {
  const doc = new Y.Doc();
  const times: number[] = [];
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await wait(300)) {
    const before = Y.encodeStateVector(doc);
    doc.getText('notes').insert(0, 'a');
    const id = `letter-${times.length}`;
    const began = performance.now();
    panel.send({ type: 'note', id, update: base64(Y.encodeStateAsUpdate(doc, before)) });
    await eventually(() => panel.all('saved').some((saved) => saved.id === id), 40);
    times.push(Math.round(performance.now() - began));
  }
  return times;
}

/** Creates organizations of registrants with unverified addresses, each with a call and its notes. */
function registrants(scene: Scene, count: number, notes: Uint8Array) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const person = await scene.register();
      const { callId } = await runningRoom(person);
      const path = `/api/calls/${callId}`;
      await person.call('PUT', path, { notesUpdate: base64(notes) });
      return (update: Uint8Array) => person.send('PUT', path, { notesUpdate: base64(update) });
    }),
  );
}

const crowdedNotes: Finding = {
  id: 'N1 (H3 by six organizations)',
  when: 'alone',
  async attack(scene) {
    const corp = await scene.admin();
    const room = await runningRoom(corp);
    const token = await staffToken(corp, room.id);
    const panel = await open(scene, corp.address, token, { channel: 'panel' });
    await panel.until('welcome');
    const quiet = Math.max(...(await typeFor(panel, 2)).slice(1));
    const { stored, costly } = costlyNotes(5000, 2500);
    const puts = await registrants(scene, 6, stored);
    const end = Date.now() + 15_000;
    const flood = puts.flatMap((put) =>
      [1, 2, 3, 4].map(async () => {
        while (Date.now() < end) await put(costly).catch(() => null);
      }),
    );
    await wait(500);
    const worst = Math.max(...(await typeFor(panel, 12)));
    await Promise.all(flood);
    panel.socket.terminate();
    hold(
      worst < 3000,
      `a letter in another organization's notes is saved after ${worst} ms (quiet: ${quiet} ms) while six registrants send costly updates of ${Math.round(costly.length / 1024)} KB`,
    );
    return `while six registrants send costly updates another organization's notes are saved within ${worst} ms (quiet: ${quiet} ms)`;
  },
};

const crowdedPictures: Finding = {
  id: 'N2 (M13 by eight organizations)',
  when: 'alone',
  async attack(scene) {
    const corp = await scene.admin();
    const attackers = await Promise.all(Array.from({ length: 8 }, () => scene.register()));
    const slow = attackers.map((one) => uploadLogo(one, slowPicture).catch(() => null));
    await wait(500);
    const { status, ms } = await uploadLogo(corp, plainPicture);
    await Promise.all(slow);
    const seconds = Math.round(ms / 1000);
    hold(
      seconds < 20,
      `one slow picture each of eight registrants: another organization's logo answers ${status} after ${seconds} s`,
    );
    return `one slow picture each of eight registrants: another organization's logo took ${seconds} s`;
  },
};

const usedUpInvitations: Finding = {
  id: 'N3 (invitations of others are not mailed)',
  when: 'aside',
  async attack(scene) {
    const body = { email: scene.newEmail('hired.example'), role: 'AGENT' };
    const strangers = [await scene.admin(), await scene.admin()];
    for (const stranger of strangers) {
      for (let n = 0; n < 3; n += 1) await stranger.call('POST', '/api/users/invite', body);
    }
    const made = await (await scene.admin()).call('POST', '/api/users/invite', body);
    hold(
      made.mailed,
      'six invitations of two strangers: the invitation of a third organization to the address is not mailed',
    );
    return 'six invitations of two strangers do not keep a third organization from mailing its own';
  },
};

export const crowdFindings = [crowdedNotes, crowdedPictures, usedUpInvitations];
