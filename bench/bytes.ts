import { gzipSync } from 'node:zlib';
import type { Response } from 'playwright-core';
import { prepareRoom } from '../e2e/support/api.ts';
import { openBrowser } from '../e2e/support/browser.ts';
import { discard, startProgram } from '../e2e/support/program.ts';
import { type Measured, plain } from './report.ts';
import { enterCall, remoteVideo, signInAndRemember } from './support/call-pages.ts';

const mostKB = 110;

/** All JavaScript that a customer's browser loads from the link to the agent's moving picture. */
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
    // What is loaded lazily after the first picture is a part of the page too.
    await customer.page.waitForTimeout(1000);
    return await weigh(responses);
  } finally {
    await customer.close();
    await agent.close();
    await discard(program);
  }
}

async function weigh(responses: readonly Response[]): Promise<Measured[]> {
  const sums = { javascript: 0, rest: 0, transferred: 0 };
  const files: string[] = [];
  for (const response of responses) {
    const type = response.headers()['content-type'] ?? '';
    const size = gzipSync(await response.body(), { level: 9 }).length;
    const { responseBodySize, responseHeadersSize } = await response.request().sizes();
    sums.transferred += responseBodySize + responseHeadersSize;
    if (!type.includes('javascript')) {
      sums.rest += size;
      continue;
    }
    sums.javascript += size;
    files.push(`${new URL(response.url()).pathname.split('/').at(-1)} ${(size / 1000).toFixed(1)}`);
  }
  return [
    plain(
      'bytes: JavaScript of the guest’s page, gzip',
      'KB',
      sums.javascript / 1000,
      mostKB,
      files.join(', '),
    ),
    plain('bytes: its HTML, styles and icon, gzip', 'KB', sums.rest / 1000, null),
    plain(
      'bytes: all that went over the wire',
      'KB',
      sums.transferred / 1000,
      null,
      'as served, with headers',
    ),
  ];
}
