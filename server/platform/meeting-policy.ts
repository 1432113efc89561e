import type { FastifyReply } from 'fastify';

const header = 'content-security-policy';

/**
 * The meeting page may start one program of its own beside it: the one that blurs the background, by a
 * policy of that name (web/meet/blur/blur-camera.ts), which knows no other address.
 */
export function letPageBlur(reply: FastifyReply): void {
  const policy = String(reply.getHeader(header));
  reply.header(header, policy.replace("trusted-types 'none'", 'trusted-types rapport-blur'));
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
