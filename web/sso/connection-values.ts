import type { z } from 'zod';
import type { updateConnectionBody } from '#domain/sso/contract.ts';

export type ConnectionValues = z.input<typeof updateConnectionBody>;
