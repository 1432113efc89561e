import type { FastifyInstance } from 'fastify';
import { networkKey } from './address-key.ts';
import { Allowance } from './allowance.ts';
import { hasBody, lengthOf } from './body-size.ts';

/**
 * Bytes of bodies that nobody reads, of one network. Node discards what still arrives after the answer, which takes
 * a processor as long as reading it, whatever the route and whoever sends it.
 */
const discarded = { burst: 4 * 1024 * 1024, perSecond: 256 * 1024 };

/**
 * Closes the connection of a request that is answered before its body has arrived, where its network has sent much
 * that nobody reads, or does not say how much it will send. Others keep theirs: a browser that is still sending would
 * not see the answer.
 * @param scale multiplies the bounds, like the rate limits
 */
export function boundUnreadBodies(http: FastifyInstance, scale: number): void {
  const allowance = new Allowance(discarded, scale);
  http.addHook('onSend', async (request, reply) => {
    const { raw } = request;
    if (!hasBody(request) || raw.complete || raw.readableEnded) return;
    const bytes = lengthOf(request) ?? Number.POSITIVE_INFINITY;
    if (allowance.take(networkKey(request.ip), bytes) === 0) return;
    reply.header('connection', 'close');
    // Node would read on until the client has closed its side.
    reply.raw.once('finish', () => raw.socket.destroy());
  });
}
