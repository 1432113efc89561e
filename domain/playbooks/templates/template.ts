/** The playbooks that Rapport offers to start from, in the order in which they are shown. */
export const templateNames = [
  'onboardingKickoff',
  'businessReview',
  'renewal',
  'adoptionCheckIn',
  'serviceRecovery',
  'salesHandover',
] as const;
export type TemplateName = (typeof templateNames)[number];

export interface PlaybookTemplate {
  title: string;
  description: string;
  steps: readonly string[];
}
export type PlaybookTemplates = Readonly<Record<TemplateName, PlaybookTemplate>>;
