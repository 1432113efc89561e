import { expect, test, vi } from 'vitest';
import { callId } from '#domain/ids.ts';
import { createShare, readShared } from '#domain/shares/contract.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import { openTestApp } from '#server/testing/open-test-app.ts';
import { recordingOf } from '#server/testing/recorded-call.ts';
import { storeRecordedFile } from '#server/testing/recorded-file.ts';
import { newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';

test('R21-4: an organization’s recordings are opened at a rate, and others’ still answered', async () => {
  const app = await openTestApp({ RATE_LIMIT_SCALE: '0.2' });
  try {
    const [one, other] = await Promise.all(
      [await newOrganization(app), await newOrganization(app)].map(async (ada) => {
        const { call, room } = await runningCall(ada);
        await storeRecordedFile(app, { id: call.id, roomId: room.id, orgId: ada.user.orgId });
        const { people } = await recordingOf(ada, callId.parse(call.id));
        const url = people[0]?.tracks[0]?.files[0]?.url ?? '';
        return (from = 0) =>
          app.http.inject({ method: 'HEAD', url, remoteAddress: `198.51.${from}.7` });
      }),
    );
    let answered = 0;
    // An address has forty files open.
    const asked = Array.from({ length: 60 }, async (_, n) => {
      const { statusCode } = (await one?.(n % 3)) ?? {};
      answered += 1;
      return statusCode;
    });
    expect((await other?.())?.statusCode).toBe(200);
    expect(answered).toBeLessThan(40);
    expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
    const waiting = vi.spyOn(PacedTurns.prototype, 'waiting').mockReturnValue(500);
    const refused = await one?.();
    waiting.mockRestore();
    expect([refused?.statusCode, refused?.headers['retry-after']]).toEqual([429, '2']);
  } finally {
    await app.close();
  }
});

test('R22-3: strangers with a shared recording do not use up what members may ask for', async () => {
  const app = await openTestApp({ RATE_LIMIT_SCALE: '0.2' });
  try {
    const ada = await newOrganization(app);
    const { call, room } = await runningCall(ada);
    await storeRecordedFile(app, { id: call.id, roomId: room.id, orgId: ada.user.orgId });
    const params = { id: callId.parse(call.id) };
    const { url } = await ada.call(createShare, { params, body: { expiresInDays: 7 } });
    const token = url.split('/').at(-1) ?? '';
    const shared = await new Visitor(app).call(readShared, { params: { token } });
    const recording = await recordingOf(ada, params.id);
    const head = ({ people }: Pick<typeof recording, 'people'>) => ({
      method: 'HEAD' as const,
      url: people[0]?.tracks[0]?.files[0]?.url ?? '',
    });
    const times = (count: number, of: typeof shared | typeof recording) =>
      Array.from({ length: count }, async (_, n) => {
        const remoteAddress = `198.51.${n % 6}.7`;
        return (await app.http.inject({ ...head(of), remoteAddress })).statusCode;
      });
    let answered = 0;
    const strangers = times(60, shared).map(async (status) => {
      await status;
      answered += 1;
      return status;
    });
    expect(new Set(await Promise.all(times(4, recording)))).toEqual(new Set([200]));
    expect(answered).toBeLessThan(40);
    expect(new Set(await Promise.all(strangers))).toEqual(new Set([200]));
  } finally {
    await app.close();
  }
});
