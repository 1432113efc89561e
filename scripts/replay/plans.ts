import { HubspotStandIn } from '#server/testing/hubspot-stand-in.ts';
import { StripeStandIn } from '#server/testing/stripe-stand-in.ts';
import { eventually } from './eventually.ts';
import { type Finding, hold, prepared } from './finding.ts';
import { asOwner } from './operator.ts';
import { runningRoom } from './rooms.ts';
import { openScene } from './scene.ts';

/** Starter, after its trial, on an installation with a card provider and a CRM. */
const afterTheTrial: Finding = {
  id: 'R20-5',
  async attack() {
    const [stripe, crm] = await Promise.all([
      new StripeStandIn().open(),
      new HubspotStandIn().open(),
    ]);
    const scene = await openScene({ ...stripe.settings, ...crm.settings });
    try {
      const admin = await scene.admin();
      const { url } = await admin.call('POST', '/api/crm-authorizations', { vendor: 'hubspot' });
      const { code, state } = crm.allow(url);
      await admin.call('POST', '/api/crm-connections', { vendor: 'hubspot', code, state });
      crm.addContact('customer@r205.example');
      await asOwner(scene, (owner) =>
        owner.query(
          `update organizations set created_at = now() - interval '15 days' where id = $1`,
          [admin.user.orgId],
        ),
      );
      const { features } = await admin.call('GET', '/api/billing');
      prepared(!features.includes('crmIntegrations'), `features are still ${features}`);
      const again = await admin.send('POST', '/api/crm-authorizations', { vendor: 'hubspot' });
      const room = await runningRoom(admin);
      const customer = { customerEmail: 'customer@r205.example' };
      await admin.call('PATCH', `/api/rooms/${room.id}`, customer);
      await asOwner(scene, (owner) =>
        owner.query(
          `insert into attendances (id, org_id, call_id, kind, name)
           values (gen_random_uuid(), $1, $2, 'guest', 'Gus')`,
          [admin.user.orgId, room.callId],
        ),
      );
      const end = { endedAt: new Date().toISOString(), endForEveryone: true, npsScore: 9 };
      const scored = await admin.send('PUT', `/api/calls/${room.callId}`, end);
      const analytics = await admin.send('GET', '/api/analytics');
      const items = await admin.send('POST', `/api/calls/${room.callId}/action-items/generate`, {});
      const brand = await admin.send('PUT', `/api/organizations/${admin.user.orgId}`, {
        ...{ name: 'White label', brandColor: '#123456' },
      });
      const sent = await eventually(() => crm.of('calls').length > 0, 60);
      const observed = `Starter after its trial (features ${features.join(', ')}): connecting again ${again.status}, calls to the CRM ${sent ? 'sent' : 'not sent'}, score ${scored.status}, analytics ${analytics.status}, action items ${items.status}, brand ${brand.status}`;
      hold(!sent, observed);
      return observed;
    } finally {
      await scene.close();
      await Promise.all([stripe.close(), crm.close()]);
    }
  },
};

/** Of the twentieth review: what a plan contains. */
export const planFindings: Finding[] = [afterTheTrial];
