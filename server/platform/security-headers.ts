import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyReply } from 'fastify';
import type { Config } from '#server/config.ts';

const ownFrames = "frame-ancestors 'self'";

/** What browsers are told to allow: our own scripts alone, and in a frame the call's page. */
export function securityHeaders(config: Config): FastifyHelmetOptions {
  const https = Boolean(config.TLS_CERT) || config.PUBLIC_URL?.startsWith('https://') === true;
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Radix writes style elements while a dialog is open.
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
        // No string becomes code in a page: every sink that would make it so throws (Trusted Types).
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

/** Lets pages of these origins, too, show this answer in a frame; the rest of the rules stays as it is. */
export function allowFraming(reply: FastifyReply, origins: string[]): void {
  if (origins.length === 0) return;
  const rules = String(reply.getHeader('content-security-policy'));
  reply.header(
    'content-security-policy',
    rules.replace(ownFrames, [ownFrames, ...origins].join(' ')),
  );
  // It knows no lists, and browsers that read the rules above leave it unread.
  reply.removeHeader('x-frame-options');
}

/** The page of the provider that carries the calls, where one does: that origin and no other. */
const hostedOrigin = ({ VIDEO_PROVIDER, DAILY_URL }: Config): string[] =>
  VIDEO_PROVIDER === 'daily' && DAILY_URL ? [new URL(DAILY_URL).origin] : [];

/** LiveKit's client asks by HTTP why its socket was refused. */
const mediaServers = ({ LIVEKIT_URL }: Config): string[] =>
  (LIVEKIT_URL?.split(',') ?? []).flatMap((url) => {
    const { origin } = new URL(url.trim());
    return [origin, origin.replace(/^ws/, 'http')];
  });
