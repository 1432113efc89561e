import { z } from 'zod';
import { meetingToken } from '#domain/calls/contract.ts';
import { consentAnswer } from '#domain/consent/live.ts';
import { contract } from '#domain/contract.ts';

/** Longest name that a guest may enter (as in live.ts). */
const guestsName = z.string().trim().min(1, 'Please enter your name').max(80);

const { id, asked, agreed, questionVersion, language } = consentAnswer.shape;
const answerBeforeJoining = { id, asked, agreed, questionVersion, language };

export const admitToHostedCall = contract({
  method: 'POST',
  path: '/api/hosted-admissions',
  rateLimit: { name: 'hosted-admission', most: 60, windowSeconds: 60 },
  summary: 'Where the call is a hosted page: its address and token, for a meeting token of ours',
  permission: 'public',
  body: z.object({
    token: meetingToken,
    name: guestsName,
    /** The answer to whether they may be recorded, where that is asked: 409 `consent_needed` without it. */
    consent: z.optional(z.object(answerBeforeJoining)),
  }),
  output: { 201: z.object({ dailyUrl: z.string(), meetingToken: z.string() }) },
  errors: [403, 404, 409, 429],
});
