import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyReply } from 'fastify';
import type { Config } from '#server/config.ts';

const ownFrames = "frame-ancestors 'self'";

/** Returns the browser's restrictions: only our own scripts, and in a frame only the hosted call page. */
export function securityHeaders(config: Config): FastifyHelmetOptions {
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
