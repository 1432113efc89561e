/** What the contact form offers as Plan of Interest. */
export const plansOfInterest = ['professional', 'enterprise', 'custom'] as const;
