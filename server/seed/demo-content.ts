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

/** A sun over the northern horizon, in the brand color. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <rect width="64" height="64" rx="14" fill="${brandColor}"/>
  <circle cx="32" cy="34" r="12" fill="#fde68a"/>
  <path d="M8 40h48v6H8zM14 50h36v5H14z" fill="#fff"/>
</svg>`;
