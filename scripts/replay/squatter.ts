import { resetByMail } from './credentials.ts';
import { eventually } from './eventually.ts';
import { type Finding, hold, prepared } from './finding.ts';
import { password } from './scene.ts';

const preparedCaptures: Finding = {
  id: 'R20-6',
  when: 'aside',
  async attack(scene) {
    const squatter = await scene.register(scene.newEmail('victims-r206.example'));
    const { email } = squatter;
    const started = { recording: 'start', transcript: 'start', browserRecognition: true };
    const captures = await squatter.send('PUT', '/api/capture-settings', started);
    const analyzer = await squatter.send('PUT', '/api/ai/settings', { provider: 'offline' });
    const reset = await resetByMail(scene, email, password);
    prepared(reset === 200, `the owner's reset answered ${reset}`);
    const owner = scene.visitor();
    owner.email = email;
    await scene.signIn(owner);
    const now = await owner.call('GET', '/api/capture-settings');
    const ai = await owner.call('GET', '/api/ai/settings');
    await eventually(() => scene.sink.to(email, /removed|secured|credential/i).length > 0, 5);
    const subjects = scene.sink.to(email).map(({ subject }) => subject);
    hold(
      now.recording === 'off' && !now.browserRecognition && ai.provider === null,
      `an unverified account may turn captures on (${captures.status}) and choose the analyzer (${analyzer.status}); after the owner took the account over: ${JSON.stringify(now)}, analyzer ${ai.provider}; mails: ${subjects.join(', ')}`,
    );
    return `captures ${captures.status}, analyzer ${analyzer.status}; after the takeover: ${JSON.stringify(now)}`;
  },
};

const customersOfRooms: Finding = {
  id: 'R20-8',
  async attack(scene) {
    const admin = await scene.admin();
    const room = await admin.call('POST', '/api/rooms', { topic: 'For a customer' });
    const customerEmail = 'customer@r208.example';
    await admin.call('PATCH', `/api/rooms/${room.id}`, { customerEmail });
    const asked = `/api/privacy/person?guest=${encodeURIComponent(customerEmail)}`;
    const exported = await admin.send('GET', asked);
    const erased = await admin.send('POST', '/api/privacy/erase', { guest: customerEmail });
    hold(
      exported.text.includes(room.id) || erased.status === 404,
      `the export of an address that only a room names answers ${exported.status}, while its erasure answers ${erased.status} ${erased.text}`,
    );
    return `export ${exported.status}, erasure ${erased.status}`;
  },
};

/** Of the twentieth review: what is prepared for others, and what is stored of them. */
export const squatterFindings: Finding[] = [preparedCaptures, customersOfRooms];
