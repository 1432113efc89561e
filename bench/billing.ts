import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StripeStandIn } from '#server/testing/stripe-stand-in.ts';
import { ApiUser } from '../e2e/support/api.ts';
import { ownerLogin } from '../e2e/support/own-database.ts';
import { discard, startProgram } from '../e2e/support/program.ts';
import { compared, type Measured } from './report.ts';
import { quantile } from './statistics.ts';

const perSecond = 50;
const secondsOfRound = 6;
const rounds = 8;
const mostTimes = 3;
/** Requests until both processes have compiled their functions, and each connection its statements. */
const warmUp = 3_000;

/** Measures a webhook, which is verified and stored before it is answered, against the insert of a row. */
export async function billing(): Promise<Measured[]> {
  const stripe = await new StripeStandIn().open();
  const program = await startProgram(stripe.settings);
  const database = new pg.Client(ownerLogin(program.dataDir));
  try {
    await database.connect();
    await database.query(
      `create table bare_events (id text primary key, type text not null, at timestamptz not null)`,
    );
    const customer = await subscribed(program.url);
    let count = 0;
    const nextId = () => `evt_${++count}`;
    const webhook = async () => {
      const object = { id: 'sub_1', object: 'subscription', customer };
      const created = Math.floor(Date.now() / 1000);
      const type = 'customer.subscription.updated';
      const body = JSON.stringify({
        id: nextId(),
        object: 'event',
        type,
        created,
        data: { object },
      });
      const headers = { 'content-type': 'application/json', 'stripe-signature': stripe.sign(body) };
      const startedAt = performance.now();
      const status = await post(`${program.url}/api/webhooks/stripe`, headers, body);
      if (status !== 200) throw new Error(`a webhook was answered ${status}`);
      return performance.now() - startedAt;
    };
    const insert = async () => {
      const startedAt = performance.now();
      await database.query({
        name: 'bare_event',
        text: 'insert into bare_events values ($1, $2, now())',
        values: [nextId(), 'customer.subscription.updated'],
      });
      return performance.now() - startedAt;
    };
    for (let done = 0; done < warmUp; done += 5) {
      await Promise.all([webhook(), webhook(), webhook(), webhook(), webhook()]);
    }
    for (let done = 0; done < warmUp; done += 1) await insert();
    const times = { webhook: [] as number[], insert: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      times.webhook.push(...(await paced(webhook, secondsOfRound)));
      times.insert.push(...(await paced(insert, secondsOfRound)));
    }
    const median = (all: number[]) => quantile(all, 0.5).toFixed(1);
    return [
      compared(`billing: p95 of a Stripe webhook, ${perSecond} a second`, 'ms', {
        ours: quantile(times.webhook, 0.95),
        peer: quantile(times.insert, 0.95),
        limit: mostTimes,
        note: `against the insert of a row; median ${median(times.webhook)} against ${median(times.insert)}`,
      }),
    ];
  } finally {
    agent.destroy();
    await database.end();
    await discard(program);
    await stripe.close();
  }

  /** Returns the customer of a new organization. */
  async function subscribed(url: string): Promise<string> {
    const user = new ApiUser(url);
    await user.send('POST', '/api/register', {
      email: 'ada@billing.example',
      password: 'correct horse',
      firstName: 'Ada',
      lastName: 'Lovelace',
      orgName: 'Acme',
    });
    await user.send('POST', '/api/get-or-create-subscription');
    const [customer = ''] = stripe.customers.keys();
    return customer;
  }
}

// fetch would add about 0.7 ms of its own to each request, which is not the webhook's.
const agent = new http.Agent({ keepAlive: true });

/** Returns the status once the whole answer has arrived. */
function post(url: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    request.once('error', reject);
    request.end(body);
  });
}

/** Begins so many a second, whether or not earlier ones are done. */
async function paced(one: () => Promise<number>, seconds: number): Promise<number[]> {
  const all: Promise<number>[] = [];
  const startedAt = performance.now();
  while (all.length < seconds * perSecond) {
    all.push(one());
    await sleep(Math.max(0, startedAt + (all.length * 1000) / perSecond - performance.now()));
  }
  return Promise.all(all);
}
