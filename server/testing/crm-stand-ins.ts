import { syncDue } from '#server/crm/sync-due.ts';
import { skipCrmWaits } from './crm-things.ts';
import { HubspotStandIn } from './hubspot-stand-in.ts';
import type { TestApp } from './open-test-app.ts';
import { SalesforceStandIn } from './salesforce-stand-in.ts';

/** Both CRMs, for the tests of one file. */
export class CrmStandIns {
  readonly hubspot = new HubspotStandIn();
  readonly salesforce = new SalesforceStandIn();

  async open(): Promise<this> {
    await Promise.all(this.#both.map((crm) => crm.open()));
    return this;
  }

  async close(): Promise<void> {
    await Promise.all(this.#both.map((crm) => crm.close()));
  }

  /** Of a server that reaches them. Once they are open. */
  get settings() {
    const { hubspot, salesforce } = this;
    return { ALLOW_PRIVATE_TARGETS: '127.0.0.1', ...hubspot.settings, ...salesforce.settings };
  }

  /** Forgets what the test before has left. @returns the requests that were against the vendor's description */
  async reset(app: TestApp) {
    await app.owner.query('delete from crm_connections');
    return this.#both.flatMap((crm) => {
      crm.objects.clear();
      crm.next.length = 0;
      crm.asked.length = 0;
      crm.gate = Promise.resolve();
      crm.tokenGate = Promise.resolve();
      crm.keepsAccess = false;
      crm.revokeAll();
      return crm.refused.splice(0);
    });
  }

  get #both() {
    return [this.hubspot, this.salesforce];
  }
}

/** Sends the calls that wait, whenever their next attempt is. */
export async function sendWaiting(app: TestApp) {
  await skipCrmWaits(app);
  return syncDue(app.services);
}
