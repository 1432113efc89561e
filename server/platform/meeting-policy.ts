import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const header = 'content-security-policy';

/**
 * What the meeting page may do beyond the others: run the one script that is written into it, named by
 * its hash (CSP 3, 8.4), and start one program of its own beside it, the one that blurs the background,
 * by a policy of that name (web/media/blur/blur-camera.ts), which knows no other address.
 * @param page as it was built, with nothing in it yet that comes from people
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
 * That program runs WebAssembly, so it alone may: a worker goes by the policy of its own file, not by
 * its page's.
 */
export const blurProgram = /\/blur-worker-[^/]*\.js(\.gz)?$/;
export const blurPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join(';');
