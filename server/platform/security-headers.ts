import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { Config } from '#server/config.ts';

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
        frameSrc: ["'self'", ...framedCompany(config)],
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

/** The page of the company that carries the calls, where one does: that origin and no other. */
const framedCompany = ({ VIDEO_PROVIDER, DAILY_URL }: Config): string[] =>
  VIDEO_PROVIDER === 'daily' && DAILY_URL ? [new URL(DAILY_URL).origin] : [];

/** LiveKit's client asks by HTTP why its socket was refused. */
const mediaServers = ({ LIVEKIT_URL }: Config): string[] =>
  (LIVEKIT_URL?.split(',') ?? []).flatMap((url) => {
    const { origin } = new URL(url.trim());
    return [origin, origin.replace(/^ws/, 'http')];
  });
