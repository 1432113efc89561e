import { expect, test } from 'vitest';
import { orgId, participantId } from '#domain/ids.ts';
import { largestPart } from '#domain/recordings/contract.ts';
import { UploadPlaces } from './upload-places.ts';

const id = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const keyOf = (org: number, participant: number) =>
  UploadPlaces.keyOf(orgId.parse(id(org)), participantId.parse(id(participant)));

/** Parts that are read until they are let go. */
class Parts {
  readonly places = new UploadPlaces();
  readonly reading: string[] = [];
  readonly #gate = Promise.withResolvers<void>();
  readonly #all: Promise<void>[] = [];

  /** Sends three parts of each of four participants. */
  send(org: number): void {
    for (let part = 0; part < 12; part += 1) {
      const key = keyOf(org, part % 4);
      const read = () => {
        this.reading.push(key);
        return this.#gate.promise;
      };
      this.#all.push(this.places.run(key, read, largestPart));
    }
  }

  async letGo(): Promise<void> {
    this.#gate.resolve();
    await Promise.all(this.#all);
  }
}
/** What could start has started. */
const turns = () => new Promise((resolve) => setImmediate(resolve));
const ofOrganization = (parts: Parts, org: number) =>
  parts.reading.filter((key) => key.startsWith(id(org))).length;

test('the parts of one organization take half of the places, and those of others are read', async () => {
  const parts = new Parts();
  parts.send(1);
  await turns();
  expect(ofOrganization(parts, 1)).toBe(6);
  parts.send(2);
  await turns();
  expect(ofOrganization(parts, 2)).toBe(6);
  await parts.letGo();
  expect([1, 2].map((org) => ofOrganization(parts, org))).toEqual([12, 12]);
});

test('only who waits for the places of others makes a crowd, in which parts must arrive faster', async () => {
  const parts = new Parts();
  parts.send(1);
  await turns();
  expect(parts.places.isCrowded()).toBe(false);
  parts.send(2);
  parts.send(3);
  await turns();
  expect(parts.places.isCrowded()).toBe(true);
  await parts.letGo();
  expect(parts.places.isCrowded()).toBe(false);
});

test('a 21st waiting part of a participant is refused, and takes no place', async () => {
  const places = new UploadPlaces();
  const { promise, resolve } = Promise.withResolvers<void>();
  const sent = Array.from({ length: 24 }, () =>
    places
      .run(keyOf(1, 1), () => promise, largestPart)
      .then(
        () => 'read',
        ({ kind }) => kind,
      ),
  );
  expect(await sent[23]).toBe('too_many');
  resolve();
  expect((await Promise.all(sent)).filter((state) => state === 'read')).toHaveLength(23);
});
