/** The demo's organization and its people, who are fictitious. */

export const organizationName = 'Northwind Success';
export const brandColor = '#0f766e';
export const password = 'demo-password';

export const people = [
  { firstName: 'Mara', lastName: 'Ellison', email: 'mara@northwind.example', role: 'ORGADMIN' },
  { firstName: 'Jonas', lastName: 'Weber', email: 'jonas@northwind.example', role: 'AGENT' },
  { firstName: 'Lena', lastName: 'Castro', email: 'lena@northwind.example', role: 'AGENT' },
  { firstName: 'Priya', lastName: 'Raman', email: 'priya@northwind.example', role: 'VIEWER' },
] as const;

/** Invited, and has not accepted yet. */
export const invited = { email: 'tom@northwind.example', role: 'AGENT' } as const;
