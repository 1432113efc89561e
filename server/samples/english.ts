import type { SampleRoomContent } from './content.ts';

/** Fictitious customers, as a success manager would write about them. */
export const englishSamples: readonly SampleRoomContent[] = [
  {
    topic: 'Cedar Clinics: onboarding',
    playbook: 'onboardingKickoff',
    calls: [
      {
        daysAgo: 24,
        hour: 14,
        minutes: 47,
        guests: ['Helen Okafor', 'Raj Mehta'],
        ticked: 8,
        notes: `Goals: cut no-shows from 14% to under 9% by February. Helen owns the project, Raj runs IT.
They bought because the front desk calls every patient by hand.

- Raj: send the list of clinics and phone systems by Friday
- We send the rollout plan with dates
Risk: the Riverside clinic moves to a new building in January.`,
        chat: [
          {
            from: 'staff',
            text: 'Here is the plan we talked about: pages 3 and 4 have the dates.',
          },
          { from: 1, text: 'Got it, thanks. I’ll check the January date with the movers.' },
        ],
        score: 9,
        feedback: 'Clear owners, and they came prepared.',
        actionItems: [
          {
            priority: 'high',
            title: 'Send the list of clinics and phone systems',
            owner: 'Raj',
            due: 'Friday',
          },
          { priority: 'medium', title: 'Send the rollout plan with dates', owner: null, due: null },
        ],
      },
      {
        daysAgo: 13,
        hour: 9,
        minutes: 31,
        guests: ['Helen Okafor'],
        ticked: 6,
        notes: `First two clinics are live. Staff like the reminder texts; patients answer them.
Reports are confusing: Helen expected no-shows per doctor.
Agreed: we set up the report with her on Thursday.`,
        score: 8,
        actionItems: [
          {
            priority: 'medium',
            title: 'Set up the no-show report per doctor',
            owner: 'Helen',
            due: 'Thursday',
          },
        ],
      },
      {
        daysAgo: 3,
        hour: 15,
        minutes: 26,
        guests: ['Helen Okafor', 'Mei Tan'],
        ticked: 7,
        notes: `No-shows at 10.5% after five weeks. Helen is happy and will show it to the board.
New: Mei Tan takes over scheduling at Riverside. She needs the admin training.`,
        score: 10,
        feedback: 'They offered to be a reference.',
        actionItems: [
          { priority: 'medium', title: 'Book the admin training for Mei', owner: null, due: null },
        ],
      },
    ],
  },
  {
    topic: 'Northway Logistics: quarterly review',
    playbook: 'businessReview',
    calls: [
      {
        daysAgo: 19,
        hour: 10,
        minutes: 52,
        guests: ['Daniel Novak', 'Ingrid Solberg'],
        ticked: 7,
        notes: `Usage: 62 of 80 seats active, up from 41. Two depots still plan on paper.
Daniel wants on-time delivery on one page for his weekly meeting.
Goals next quarter: all depots live, and 95% of tours planned the day before.`,
        chat: [{ from: 0, text: 'Can you send the seat numbers per depot?' }],
        score: 9,
        actionItems: [
          { priority: 'medium', title: 'Send seat numbers per depot', owner: null, due: null },
          { priority: 'low', title: 'Name a lead for each depot', owner: 'Ingrid', due: null },
        ],
      },
      {
        daysAgo: 6,
        hour: 13,
        minutes: 18,
        guests: ['Ingrid Solberg'],
        ticked: 3,
        notes: `The export failed twice this week, and tours had to be typed in again. Ingrid is frustrated.
Workaround until the fix: export per depot. We promised an update by Wednesday.`,
        score: 5,
        feedback: 'Trust has suffered. Call again as soon as the fix is out.',
        actionItems: [
          {
            priority: 'high',
            title: 'Update Ingrid about the export fix',
            owner: null,
            due: 'Wednesday',
          },
        ],
      },
    ],
  },
  {
    topic: 'Pine Street Hotels: renewal',
    playbook: 'renewal',
    calls: [
      {
        daysAgo: 10,
        hour: 16,
        minutes: 38,
        guests: ['Amara Diallo'],
        ticked: 5,
        notes: `Contract ends in 80 days. Amara decides, the CFO signs.
Value they name: 6 hours a week saved at each front desk.
Objection: “The new price is hard to explain after a quiet season.” Wants to compare a two-year term.`,
        score: 7,
        actionItems: [
          {
            priority: 'high',
            title: 'Prepare one-year and two-year offers',
            owner: null,
            due: null,
          },
        ],
      },
      {
        daysAgo: 2,
        hour: 11,
        minutes: 24,
        guests: ['Amara Diallo', 'Luis Ortega'],
        ticked: 7,
        notes: `Went through both offers. Luis (CFO) prefers two years if the price is fixed.
Decision on the 15th. Amara asks for a short summary for the owners.`,
        score: 9,
        actionItems: [
          {
            priority: 'high',
            title: 'Send a one-page summary for the owners',
            owner: null,
            due: null,
          },
        ],
      },
    ],
  },
];
