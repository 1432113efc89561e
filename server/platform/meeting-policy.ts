import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const header = 'content-security-policy';

/**
 * Returns a function that extends the Content-Security-Policy for the meeting page. It allows the
 * one script that is written into the page, by its hash (CSP 3, 8.4), and one worker, which blurs
 * the background, by a Trusted Types policy of that name (web/media/blur/blur-camera.ts) that
 * accepts no other address.
 * @param page as built, before anything from users is inserted
 */
export function meetingPolicy(page: string): (reply: FastifyReply) => void {
  const script = /<script>(.*?)<\/script>/s.exec(page)?.[1];
  const own = "script-src 'self'";
  const hash = script && createHash('sha256').update(script).digest('base64');
  return (reply) => {
    const policy = String(reply.getHeader(header))
      .replace("trusted-types 'none'", 'trusted-types rapport-blur')
      .replace(own, hash ? `${own} 'sha256-${hash}'` : own);
    reply.header(header, policy);
  };
}

/**
 * Only the blur worker may run WebAssembly. A worker follows the policy of its own file, not that
 * of its page.
 */
export const blurProgram = /\/blur-worker-[^/]*\.js(\.gz)?$/;
export const blurPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join(';');
