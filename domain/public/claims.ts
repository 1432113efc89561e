import { z } from 'zod';

/**
 * Claims of the public pages about the operator's service. Each states its source: `measured`,
 * `stated` by the operator, or an `example` that pages mark as one.
 */
const claim = z.object({
  /** Its first word is displayed large. */
  text: z
    .string({ error: 'must be a text like "99.9% uptime"' })
    .trim()
    .min(1, 'must not be empty')
    .max(60, 'must have at most 60 characters'),
  /** The German text; without it German readers get `text`. */
  textDe: z.string({ error: 'must be a text' }).trim().min(1, 'must not be empty').optional(),
  source: z
    .string({ error: 'must say where the figure comes from' })
    .trim()
    .min(1, 'must say where the figure comes from')
    .max(200, 'must have at most 200 characters'),
  status: z.enum(['measured', 'stated', 'example'], {
    error: 'must be "measured", "stated" or "example"',
  }),
});
export type Claim = z.infer<typeof claim>;

export const claimsFile = z.object(
  {
    claims: z
      .array(claim, { error: 'must be a list' })
      .max(6, 'must have at most 6 entries, more do not fit the page'),
  },
  { error: 'must be an object with a list "claims"' },
);

const source = 'Came with Rapport. Put your own figure here, and say where it comes from.';

/** Spec section 1. The operator's own claims replace them. */
export const exampleClaims: Claim[] = [
  { text: '99.9% uptime', textDe: '99,9 % Verfügbarkeit', source, status: 'example' },
  { text: '500+ teams', textDe: '500+ Teams', source, status: 'example' },
  { text: '100K+ calls', textDe: '100.000+ Anrufe', source, status: 'example' },
  { text: '25+ countries', textDe: '25+ Länder', source, status: 'example' },
];
