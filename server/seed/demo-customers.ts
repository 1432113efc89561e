import type { TemplateName } from '#domain/playbooks/templates/template.ts';

/** A fictitious customer: the room, who joins from their side, and what is said about them. */
export interface DemoCustomer {
  topic: string;
  playbook: TemplateName | null;
  contacts: readonly string[];
  /** What notes of different calls are about. */
  facts: readonly string[];
}

export const customers: readonly DemoCustomer[] = [
  {
    topic: 'Brightleaf Foods – onboarding',
    playbook: 'onboardingKickoff',
    contacts: ['Tomás Aguilar', 'Ruth Feldman', 'Ines Prado'],
    facts: [
      'Rollout to the second plant starts next month; 35 people need logins.',
      'Their ERP sends article numbers with leading zeros, and the import drops them.',
      'The shift leads want the morning report on paper.',
      'First 90-day goal: plan a week’s production in under an hour.',
    ],
  },
  {
    topic: 'Harbor Logistics – quarterly review',
    playbook: 'businessReview',
    contacts: ['Helen Okafor', 'Piet de Vries'],
    facts: [
      'On-time delivery went from 91% to 95% since the depots use the tour board.',
      'Rotterdam plans on paper on weekends, so Monday’s figures are wrong.',
      '62 of 80 seats are active; the rest belong to drivers who left.',
      'Helen presents the results to the board in the first week of the quarter.',
    ],
  },
  {
    topic: 'Castell Insurance – renewal',
    playbook: 'renewal',
    contacts: ['Sofie Lindqvist', 'Marc Olivier'],
    facts: [
      'The contract ends on March 31; procurement needs six weeks.',
      'A competitor offered 15% less, without the audit log that they need.',
      'Claims are answered a day faster, which Sofie calls the reason to stay.',
      'They want to pay yearly and add the Lyon office.',
    ],
  },
  {
    topic: 'Juniper Clinics – onboarding',
    playbook: 'onboardingKickoff',
    contacts: ['Amara Diallo', 'Kenji Mori', 'Beth Sullivan'],
    facts: [
      'Four of nine clinics are live; Eastside follows after its move.',
      'No-shows fell from 14% to 10.5% in five weeks.',
      'Kenji needs single sign-on before the doctors get accounts.',
      'Reminder texts go out in English only; a third of patients prefer Spanish.',
    ],
  },
  {
    topic: 'Meridian Hotels – adoption',
    playbook: 'adoptionCheckIn',
    contacts: ['Daniel Novak', 'Chiara Rossi'],
    facts: [
      'Housekeeping uses it daily; the front desk went back to the old list.',
      'Chiara trained the night shift herself and asks for a short video.',
      'Room status takes two taps too many on the phone.',
      'Twelve new hires start before the season.',
    ],
  },
  {
    topic: 'Orchard Energy – escalation',
    playbook: 'serviceRecovery',
    contacts: ['Grace Whitfield', 'Omar Haddad'],
    facts: [
      'The meter import stopped for two nights, and 400 invoices went out late.',
      'The fix is live since Tuesday; nothing failed since.',
      'Omar wants to know how we would have noticed it ourselves.',
      'They accept the report, and ask for a call each week until June.',
    ],
  },
  {
    topic: 'Office hours',
    playbook: null,
    contacts: ['Yuki Tanaka', 'Paul Brandt', 'Leila Haddad', 'Owen Pierce'],
    facts: [
      'Questions about roles: who may archive a room?',
      'Two customers compared how they write their playbooks.',
      'How to share notes after a call without an account.',
      'Someone asked for keyboard shortcuts; showed the list.',
    ],
  },
];

type Mood = 'good' | 'fair' | 'poor';
export const moods: Record<Mood, { openings: readonly string[]; scores: readonly number[] }> = {
  good: {
    openings: [
      'Great call. {name} is happy with how it’s going.',
      'More active people than last month, and {name} noticed.',
      '{name} praised support: answers within the hour.',
    ],
    scores: [9, 9, 10],
  },
  fair: {
    openings: [
      'Short check-in with {name}, no blockers.',
      'Worked through the open points from last time.',
      'Mostly questions about the next release.',
    ],
    scores: [7, 8, 8],
  },
  poor: {
    openings: [
      '{name} is frustrated: the export failed again this week.',
      'Two teams still keep their own spreadsheets.',
      '{name} worries about the price change and wants numbers first.',
    ],
    scores: [3, 5, 6],
  },
};

/** What was promised: by `us`, or by the customer's contact. */
export const promises = [
  { us: true, title: 'Send the training dates', due: 'Friday', priority: 'medium' },
  { us: true, title: 'Prepare a comparison of both plans', due: 'Monday', priority: 'high' },
  { us: true, title: 'Ask product about the export to Excel', due: null, priority: 'low' },
  {
    us: true,
    title: 'Follow up on the ticket with engineering',
    due: 'Wednesday',
    priority: 'high',
  },
  { us: false, title: 'Send the list of new users', due: 'Thursday', priority: 'medium' },
  { us: false, title: 'Name an owner for the data import', due: 'Friday', priority: 'medium' },
  { us: false, title: 'Check the dates with the works council', due: null, priority: 'low' },
] as const;

export const chats = [
  [
    { from: 'staff', text: 'Here are the slides: https://northwind.example/review' },
    { from: 0, text: 'Thank you! I’ll forward them to the team.' },
  ],
  [
    { from: 0, text: 'I have to leave five minutes early today.' },
    { from: 'staff', text: 'No problem, we’ll start with your points.' },
  ],
  [{ from: 'staff', text: 'The help article: https://northwind.example/help/import' }],
] as const;

export const feedback = [
  'Clear next steps on both sides.',
  'They came prepared and knew their numbers.',
  'We ran out of time for their questions.',
  'Best review so far. Ask them for a reference.',
];
