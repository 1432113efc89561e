import { z } from 'zod';
import { contract } from '#domain/contract.ts';

/** The steps of an organization's first hour, in the order in which they are shown. */
export const firstSteps = ['playbook', 'room', 'devices', 'link', 'call', 'team'] as const;
export type FirstStep = (typeof firstSteps)[number];

export const gettingStarted = z.object({
  done: z.object({
    playbook: z.boolean(),
    room: z.boolean(),
    devices: z.boolean(),
    link: z.boolean(),
    call: z.boolean(),
    team: z.boolean(),
  } satisfies Record<FirstStep, z.ZodBoolean>),
  /** Whether the dashboard shows the list without being asked (rules.ts). */
  isShown: z.boolean(),
  /** When the organization's sample data was loaded; null without any. */
  samplesLoadedAt: z.iso.datetime().nullable(),
});
export type GettingStarted = z.infer<typeof gettingStarted>;

/** What leaves no other row: each is recorded for the person, with the time. */
export const recordedSteps = ['devices_tested', 'link_copied', 'dismissed'] as const;
export type RecordedStep = (typeof recordedSteps)[number];

export const readGettingStarted = contract({
  method: 'GET',
  path: '/api/getting-started',
  summary: 'Which steps of its first hour the organization has taken',
  permission: 'rooms.create',
  output: { 200: gettingStarted },
});

export const recordFirstStep = contract({
  method: 'PUT',
  path: '/api/getting-started',
  summary: 'Record that a person tested their devices, copied a guest link, or dismissed the list',
  permission: 'rooms.create',
  body: z.object({ step: z.enum(recordedSteps) }),
  output: { 204: null },
  errors: [400],
});
