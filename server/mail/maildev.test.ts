import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateOrganization } from '#domain/organizations/contract.ts';
import { inviteUser } from '#domain/team/contract.ts';
import { smtpServer } from '#server/providers/mail/smtp.ts';
import { hasMaildev, type Maildev, startMaildev } from '#server/testing/maildev.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { fileForm } from '#server/testing/requests.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { sendDueMails } from './send-mails.ts';

let app: TestApp;
let maildev: Maildev | null = null;
beforeAll(async () => {
  if (!hasMaildev()) return;
  maildev = await startMaildev();
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
});
afterAll(async () => {
  await app?.close();
  await maildev?.stop();
});

test.skipIf(!hasMaildev())(
  'MailDev shows an invitation in the organization’s brand, as text and as HTML with its logo',
  async () => {
    const ada = await newOrganization(app);
    const orgId = ada.user.orgId ?? '';
    const look = { name: 'Acme', brandColor: '#c2410c', plan: 'starter' } as const;
    await ada.call(updateOrganization, { params: { orgId }, body: look });
    const create = { width: 90, height: 30, channels: 3 as const, background: '#c2410c' };
    const png = await sharp({ create }).png().toBuffer();
    await ada.send('POST', `/api/organizations/${orgId}/logo`, fileForm(Uint8Array.from(png)));
    await ada.call(inviteUser, { body: { email: 'ben@example.com', role: 'AGENT' } });
    if (!maildev) throw new Error('MailDev did not start');
    const mail = smtpServer(maildev.smtpUrl, 'Rapport <calls@example.com>');
    await sendDueMails({ ...app.services, mail });
    const received = await maildev.read();
    expect(received).toMatchObject([
      {
        from: [{ address: 'calls@example.com', name: 'Rapport' }],
        to: [{ address: 'ben@example.com' }],
        subject: expect.stringContaining('Acme'),
        text: expect.stringContaining('https://calls.example.com/invite/'),
        attachments: [{ contentType: 'image/png', contentDisposition: 'inline' }],
      },
    ]);
    const [shown] = received;
    expect(shown?.html).toContain('https://calls.example.com/invite/');
    expect(shown?.html).toContain('background:#c2410c');
    expect(shown?.html).toMatch(/<img [^>]*src="data:image\/png;base64,/);
  },
);
