import { expect, test } from 'vitest';
import { callId } from '#domain/ids.ts';
import { openTestApp } from '#server/testing/open-test-app.ts';
import { recordingOf } from '#server/testing/recorded-call.ts';
import { storeRecordedFile } from '#server/testing/recorded-file.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';

test('R21-4: an organization’s recordings are asked for so often, and others’ still answered', async () => {
  const app = await openTestApp({ RATE_LIMIT_SCALE: '0.2' });
  try {
    const [one, other] = await Promise.all(
      [await newOrganization(app), await newOrganization(app)].map(async (ada) => {
        const { call, room } = await runningCall(ada);
        await storeRecordedFile(app, { id: call.id, roomId: room.id, orgId: ada.user.orgId });
        const { people } = await recordingOf(ada, callId.parse(call.id));
        const url = people[0]?.tracks[0]?.files[0]?.url ?? '';
        return () => app.http.inject({ method: 'HEAD', url });
      }),
    );
    const answers = await Promise.all(Array.from({ length: 300 }, () => one?.()));
    expect(new Set(answers.map((answer) => answer?.statusCode))).toEqual(new Set([200, 429]));
    expect(answers.find((answer) => answer?.statusCode === 429)?.headers).toHaveProperty(
      'retry-after',
    );
    expect((await other?.())?.statusCode).toBe(200);
  } finally {
    await app.close();
  }
});
