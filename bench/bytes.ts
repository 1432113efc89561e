import { gzipSync } from 'node:zlib';
import type { Response } from 'playwright-core';
import { prepareRoom } from '../e2e/support/api.ts';
import { openBrowser } from '../e2e/support/browser.ts';
import { discard, startProgram } from '../e2e/support/program.ts';
import { type Measured, plain } from './report.ts';
import { enterCall, remoteVideo, signInAndRemember } from './support/call-pages.ts';

const mostKB = 110;
const mostOfDashboardKB = 240;
const mostOfElementKB = 12;

/** Measures all JavaScript that a customer's browser loads from the link to the agent's moving video. */
export async function bytes(): Promise<Measured[]> {
  const program = await startProgram();
  const agent = await openBrowser();
  const customer = await openBrowser();
  try {
    const { user, roomId, guestUrl } = await prepareRoom(program.url, 'Bytes');
    await signInAndRemember(agent, user, program.url, roomId, guestUrl);
    await enterCall(agent, `${program.url}/app/rooms/${roomId}/call`);
    const responses: Response[] = [];
    customer.page.on('response', (response) => responses.push(response));
    await customer.page.goto(guestUrl);
    await customer.page.getByLabel('Your name').fill('Grace');
    await customer.page.getByRole('button', { name: 'Join', exact: true }).click();
    await customer.page.waitForFunction((selector) => {
      const video = document.querySelector<HTMLVideoElement>(selector);
      return video !== null && video.videoWidth > 0 && video.currentTime > 0;
    }, remoteVideo);
    // Code that is loaded lazily after the first video counts, too.
    await customer.page.waitForTimeout(1000);
    const element = await (await fetch(`${program.url}/embed/v1.js`)).text();
    return [...rows(await weighed(responses)), elementRow(element)];
  } finally {
    await customer.close();
    await agent.close();
    await discard(program);
  }
}

/** Measures everything that a signed-in person's browser loads for the dashboard. */
export async function dashboardBytes(): Promise<Measured[]> {
  const program = await startProgram();
  const agent = await openBrowser();
  try {
    const { user } = await prepareRoom(program.url, 'Dashboard');
    await user.signIn(agent);
    const responses: Response[] = [];
    agent.page.on('response', (response) => responses.push(response));
    await agent.page.goto(`${program.url}/app`);
    await agent.page.getByText('Total Calls').waitFor();
    await agent.page.getByText('Join', { exact: true }).first().waitFor();
    // What the page loads after its figures counts, too.
    await agent.page.waitForTimeout(1000);
    const { javascript, files } = await weighed(responses);
    const note = files.join(', ');
    return [
      plain(
        'bytes: JavaScript of the dashboard, gzip',
        'KB',
        javascript / 1000,
        mostOfDashboardKB,
        note,
      ),
    ];
  } finally {
    await agent.close();
    await discard(program);
  }
}

interface Weight {
  /** Bytes, compressed with gzip. */
  javascript: number;
  rest: number;
  /** Bytes as served, with headers. */
  transferred: number;
  files: string[];
}

async function weighed(responses: readonly Response[]): Promise<Weight> {
  const weight: Weight = { javascript: 0, rest: 0, transferred: 0, files: [] };
  for (const response of responses) {
    const type = response.headers()['content-type'] ?? '';
    const size = gzipSync(await response.body(), { level: 9 }).length;
    const { responseBodySize, responseHeadersSize } = await response.request().sizes();
    weight.transferred += responseBodySize + responseHeadersSize;
    if (!type.includes('javascript')) {
      const written = type.includes('html') ? scriptIn(await response.text()) : '';
      const script = written ? gzipSync(written, { level: 9 }).length : 0;
      if (script) add(weight, 'written into the page', script);
      weight.rest += size - script;
      continue;
    }
    add(weight, new URL(response.url()).pathname.split('/').at(-1) ?? '', size);
  }
  return weight;
}

function add(weight: Weight, name: string, size: number): void {
  weight.javascript += size;
  weight.files.push(`${name} ${(size / 1000).toFixed(1)}`);
}

/** What another site's page loads before the frame (docs/embedding.md). */
const elementRow = (script: string): Measured =>
  plain(
    'bytes: <rapport-room> before its frame, gzip',
    'KB',
    gzipSync(script, { level: 9 }).length / 1000,
    mostOfElementKB,
    '/embed/v1.js',
  );

const scriptIn = (html: string) => /<script>(.*?)<\/script>/s.exec(html)?.[1] ?? '';

function rows({ javascript, rest, transferred, files }: Weight): Measured[] {
  const of = 'bytes: JavaScript of the guest’s page, gzip';
  return [
    plain(of, 'KB', javascript / 1000, mostKB, files.join(', ')),
    plain('bytes: its HTML, styles and icon, gzip', 'KB', rest / 1000, null),
    plain(
      'bytes: all that went over the wire',
      'KB',
      transferred / 1000,
      null,
      'as served, with headers',
    ),
  ];
}
