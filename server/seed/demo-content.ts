/** The content of the demo organization. Its people and companies are fictitious. */

export const organizationName = 'Northwind Success';
export const password = 'demo-password';

export const people = [
  { firstName: 'Mara', lastName: 'Ellison', email: 'mara@northwind.example', role: 'ORGADMIN' },
  { firstName: 'Jonas', lastName: 'Weber', email: 'jonas@northwind.example', role: 'AGENT' },
  { firstName: 'Priya', lastName: 'Raman', email: 'priya@northwind.example', role: 'VIEWER' },
] as const;

export const playbooks = [
  {
    title: 'Onboarding kick-off',
    description: 'The first call with a new customer: who is who, and what success means to them.',
    items: [
      'Introduce both teams',
      'Agree what success looks like in 90 days',
      'Walk through the rollout plan',
      'Name the owner on their side',
      'Book the next call',
    ],
  },
  {
    title: 'Quarterly business review',
    description: 'What was achieved, what it is worth, and what comes next.',
    items: [
      'Review last quarter’s goals',
      'Show usage and value',
      'Collect open problems',
      'Agree next quarter’s goals',
    ],
  },
  {
    title: 'Renewal conversation',
    description: 'Ninety days before the contract ends.',
    items: [
      'Confirm the decision makers',
      'Revisit the value delivered',
      'Ask what would make them leave',
      'Present the renewal offer',
      'Agree on a date to decide',
    ],
  },
];

/** Topic, and the playbook's index in the list above. */
export const rooms: { topic: string; playbook: number | null }[] = [
  { topic: 'Brightleaf Foods – onboarding', playbook: 0 },
  { topic: 'Harbor Logistics – quarterly review', playbook: 1 },
  { topic: 'Castell Insurance – renewal', playbook: 2 },
  { topic: 'Office hours', playbook: null },
  { topic: 'Juniper Clinics – onboarding', playbook: 0 },
  { topic: 'Meridian Hotels – quarterly review', playbook: 1 },
];

export const customers = [
  'Tomás Aguilar',
  'Helen Okafor',
  'Sofie Lindqvist',
  'Daniel Novak',
  'Amara Diallo',
  'Kenji Mori',
];

export const notes = [
  'They want the weekly report by email. Ask product about the export to Excel.',
  'Rollout to the second site starts next month. Send the training dates by Friday.',
  'Happy with support. Worried about the price change: prepare a comparison.',
  'New contact on their side; introduce her to the admin course.',
  'Sync with their data team is still missing. Follow up with engineering.',
  'Wants a case study with us. Marketing to call them.',
];

export const feedback = [
  'Clear next steps, thank you.',
  'Would have liked more time for questions.',
  'Best review call so far.',
  'The agenda was a bit long.',
];
