import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { changeRoomCapture } from '#domain/consent/contract.ts';
import { togetherVersion } from '#domain/consent/question.ts';
import { followHostedRooms } from '#server/recordings/hosted/follow-hosted-rooms.ts';
import { joinDue } from '#server/recordings/join/join-due.ts';
import { DailyStandIn } from './daily-stand-in.ts';
import { dailyEvent, seconds, sendDailyEvent } from './daily-webhook.ts';
import { type Entered, enter } from './live-client.ts';
import { openTestApp, type TestApp } from './open-test-app.ts';
import { recorded, recordingOf } from './recorded-call.ts';
import { newOrganization, runningCall, Visitor } from './visitor.ts';
import { guestTokenOf } from './waiting-guest.ts';

export type RecordedAtDaily = DailyStandIn['recordings']['all'][number];

/** An answer to the question about recording. */
export const answered = (agrees: boolean) => ({
  ...{ id: randomUUID(), asked: ['recording' as const], language: 'en' as const },
  ...{ agreed: agrees ? ['recording' as const] : [], questionVersion: togetherVersion },
});

export const eventually = <T>(check: () => T | Promise<T>) =>
  vi.waitFor(check, { timeout: 10_000 });

/** A call for each test, whose host Ada has asked to record, on a stand-in for Daily. */
export class HostedRecordingCall {
  app!: TestApp;
  daily!: DailyStandIn;
  ada!: Awaited<ReturnType<typeof newOrganization>>;
  started!: Awaited<ReturnType<typeof runningCall>>;
  /** Ada's page. */
  adas!: Entered;
  /** Of the room, at Daily. */
  name!: string;
  #url!: string;

  /** Registers what opens it before the tests of a file, and closes it. */
  constructor() {
    beforeAll(async () => {
      this.daily = await new DailyStandIn().open();
      this.app = await openTestApp({
        PUBLIC_URL: 'https://calls.example.com',
        ...this.daily.recordingSettings,
      });
      this.#url = await this.app.listen();
    });
    beforeEach(() => this.#begin());
    afterEach(() => this.daily.failing.clear());
    afterAll(async () => {
      await this.app.close();
      await this.daily.close();
    });
  }

  async #begin() {
    const { app, daily } = this;
    // Those of the tests before end here.
    await app.owner.query('update captures set stopped_at = now() where stopped_at is null');
    await app.owner.query('delete from hosted_recordings');
    daily.recordings.all.length = 0;
    this.ada = await newOrganization(app);
    this.started = await runningCall(this.ada);
    const { room } = this.started;
    await this.ada.call(changeRoomCapture, {
      params: { id: room.id },
      body: { recording: 'ask' },
    });
    this.name = `${this.ada.user.orgId}_${room.id}`;
    this.adas = await enter(this.#url, room.panelToken ?? '');
    daily.recordings.present.set(this.name, [this.adas.id]);
    this.capture(true);
    await this.adas.until('captures', ({ running }) => running.length === 1);
    daily.asked.length = 0;
  }

  /** Ada asks for a recording, or stops it. */
  capture(running: boolean) {
    this.adas.send({ type: 'capture', id: randomUUID(), kind: 'recording', running });
  }

  async answer(page: Entered, agrees: boolean, discard = false) {
    const consent = answered(agrees);
    page.send({ type: 'consent', ...consent, discard });
    await page.until('saved', (saved) => saved.id === consent.id);
  }

  admit(token: string, agrees?: boolean, of = 'Bo') {
    return new Visitor(this.app).send('POST', '/api/hosted-admissions', {
      ...{ token, name: of },
      ...(agrees !== undefined && { consent: answered(agrees) }),
    });
  }

  guestToken() {
    return guestTokenOf(this.app, this.ada, this.started.room.id);
  }

  /** A guest who has answered, and is on Daily's page. */
  async guest(agrees: boolean, of = 'Bo'): Promise<Entered> {
    const token = await this.guestToken();
    expect((await this.admit(token, agrees, of)).status).toBe(201);
    const page = await enter(this.#url, token, { name: of });
    this.daily.recordings.present.get(this.name)?.push(page.id);
    await this.tell('participant.joined', {
      ...{ room: this.name, user_id: page.id, user_name: of, owner: false, joined_at: seconds() },
    });
    return page;
  }

  /** Sends an event of Daily. */
  tell(type: string, payload: object, secret = this.daily.webhookSecret) {
    return sendDailyEvent(this.app, secret, dailyEvent(type, payload));
  }

  tellStarted({ id, instanceId, start_ts }: RecordedAtDaily) {
    return this.tell('recording.started', {
      ...{ action: 'start-cloud-recording', recording_id: id, instance_id: instanceId, start_ts },
    });
  }

  /** Returns what Daily records now, once it does. */
  async running(): Promise<RecordedAtDaily> {
    const begun = () =>
      eventually(() => {
        const [one] = this.daily.recordings.running(this.name);
        if (!one) throw new Error('nothing is recorded');
        return one;
      });
    // What fails on a busy machine is tried again, as the program does every five seconds.
    return begun().catch(async () => {
      await followHostedRooms(this.app.services);
      return begun();
    });
  }

  stopped() {
    return eventually(() => expect(this.daily.recordings.running(this.name)).toEqual([]));
  }

  /** Daily has the file, says so, and Rapport takes it over. */
  async takenOver(of: RecordedAtDaily, bytes = recorded.camera) {
    const { recordings } = this.daily;
    await this.tell('recording.ready-to-download', recordings.finish(of, bytes));
    await eventually(async () => {
      expect(await this.rows()).toEqual([]);
      expect(recordings.all).not.toContain(of);
    });
    await joinDue(this.app.services);
  }

  /** What is stored of recordings that Daily was asked for. */
  async rows() {
    const found = await this.app.owner.query(
      'select * from hosted_recordings order by requested_at',
    );
    return found.rows;
  }

  async files() {
    const { people } = await recordingOf(this.ada, this.started.call.id);
    return people.flatMap((person) =>
      person.tracks.flatMap((track) =>
        track.files.map((file) => ({ name: person.name, source: track.source, ...file })),
      ),
    );
  }

  /** Has every pause passed. */
  async laterOn() {
    await this.app.owner.query(`update hosted_recordings set next_attempt_at = now() - interval '1 second',
      stopped_at = stopped_at - case when error is null then interval '0' else interval '1 minute' end`);
    await followHostedRooms(this.app.services);
  }

  /** Returns what Daily was asked to do. */
  orders() {
    return this.daily.asked
      .map(({ path }) => path.split('/').at(-1))
      .filter((one) => one !== 'recordings');
  }
}
