import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';
import type { Config } from '#server/config.ts';

const ownFrames = "frame-ancestors 'self'";

/**
 * Adds the browser's restrictions to every answer. They are the same for all, so helmet writes them once: for each
 * request, it took 3 % of the time of a list.
 */
export function sendSecurityHeaders(http: FastifyInstance, config: Config): void {
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(restrictions(config))(answer.req, answer, (error?: unknown) => {
    if (error) throw error;
  });
  const headers = answer.getHeaders();
  http.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
}

/** Returns what browsers may do: run only our own scripts, and show in a frame only the hosted call page. */
function restrictions(config: Config): HelmetOptions {
  const https = Boolean(config.TLS_CERT) || config.PUBLIC_URL?.startsWith('https://') === true;
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Radix inserts style elements while a dialog is open.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...mediaServers(config)],
        frameSrc: ["'self'", ...hostedOrigin(config)],
        frameAncestors: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        // Trusted Types: every sink that would turn a string into code throws.
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'sameorigin' },
  };
}

/** Also lets pages of these origins show this answer in a frame. The other rules stay unchanged. */
export function allowFraming(reply: FastifyReply, origins: string[]): void {
  if (origins.length === 0) return;
  const rules = String(reply.getHeader('content-security-policy'));
  reply.header(
    'content-security-policy',
    rules.replace(ownFrames, [ownFrames, ...origins].join(' ')),
  );
  // X-Frame-Options cannot list origins, and browsers that support the rules above ignore it.
  reply.removeHeader('x-frame-options');
}

/** The origin of the hosted provider's call page, if one is configured. */
const hostedOrigin = ({ VIDEO_PROVIDER, DAILY_URL }: Config): string[] =>
  VIDEO_PROVIDER === 'daily' && DAILY_URL ? [new URL(DAILY_URL).origin] : [];

/** LiveKit's client asks over HTTP why its WebSocket was refused. */
const mediaServers = ({ LIVEKIT_URL }: Config): string[] =>
  (LIVEKIT_URL?.split(',') ?? []).flatMap((url) => {
    const { origin } = new URL(url.trim());
    return [origin, origin.replace(/^ws/, 'http')];
  });
