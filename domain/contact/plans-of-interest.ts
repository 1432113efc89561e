/** The choices of Plan of Interest in the contact form. */
export const plansOfInterest = ['professional', 'enterprise', 'custom'] as const;
