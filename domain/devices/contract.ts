import { z } from 'zod';
import { contract } from '#domain/contract.ts';

/** For the device test, which happens outside a room. In a meeting, the socket sends them. */
export const readIceServers = contract({
  method: 'GET',
  path: '/api/ice-servers',
  summary: 'The servers that calls are connected by, to test whether this network reaches them',
  permission: 'calls.attend',
  rateLimit: { name: 'ice_servers', most: 60, windowSeconds: 600 },
  output: {
    200: z.object({
      iceServers: z.array(
        z.object({
          urls: z.array(z.string()),
          username: z.string().optional(),
          credential: z.string().optional(),
        }),
      ),
    }),
  },
  errors: [429],
});
