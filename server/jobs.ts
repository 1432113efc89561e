import { actionItemJobs } from './action-items/jobs.ts';
import { analyticsJobs } from './analytics/jobs.ts';
import { apiJobs } from './api/jobs.ts';
import { auditJobs } from './audit/jobs.ts';
import { sessionJobs } from './auth/jobs.ts';
import { billingJobs } from './billing/jobs.ts';
import { lobbyJobs } from './calls/mail-lobby.ts';
import { embeddingJobs } from './embedding/jobs.ts';
import { insightJobs } from './insights/jobs.ts';
import { mailJobs } from './mail/jobs.ts';
import { logoJobs } from './organizations/jobs.ts';
import { privacyJobs } from './privacy/jobs.ts';
import { portraitJobs } from './profile/jobs.ts';
import { recordingJobs } from './recordings/jobs.ts';
import { searchJobs } from './search/jobs.ts';
import type { Services } from './services.ts';
import { ssoJobs } from './sso/jobs.ts';
import { webhookJobs } from './webhooks/jobs.ts';

/** Defines the work that repeats, or runs later, in whichever process takes it. */
export function defineJobs(services: Services): void {
  actionItemJobs(services);
  insightJobs(services);
  analyticsJobs(services);
  auditJobs(services);
  sessionJobs(services);
  billingJobs(services);
  lobbyJobs(services);
  mailJobs(services);
  logoJobs(services);
  portraitJobs(services);
  recordingJobs(services);
  searchJobs(services);
  ssoJobs(services);
  webhookJobs(services);
  apiJobs(services);
  embeddingJobs(services);
  privacyJobs(services);
}
