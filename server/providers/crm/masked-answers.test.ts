import { describe, expect, test } from 'vitest';
import { defaultMapping } from '#domain/crm/mapping.ts';
import { hubspot } from './hubspot.ts';
import { CrmFailure, type CrmFetch } from './port.ts';
import { salesforce } from './salesforce.ts';

const secret = 'client+secret/of us=';
const refreshToken = 'refresh/7f1c.x';
const access = { token: 'access!7f1c', base: 'https://acme.my.salesforce.com' };
const code = 'code-7f1c';
const verifier = 'verifier-7f1c';

/** Answers each request with its own parts, as a service does that quotes what it refuses. */
const quoting =
  (form: (said: string) => unknown): CrmFetch =>
  async (url, { body = '', headers }) =>
    new Response(JSON.stringify(form(`${url} ${body} ${headers.authorization ?? ''}`)), {
      status: 400,
    });
const forms = {
  message: (message: string) => ({ message, category: 'VALIDATION_ERROR' }),
  description: (text: string) => ({ error: 'invalid_request', error_description: text }),
  error: (error: string) => ({ error }),
  list: (message: string) => [{ message, errorCode: 'INVALID_FIELD' }],
};
const vendors = {
  hubspot: (fetch: CrmFetch) =>
    hubspot(
      { id: 'app', secret, apiBase: 'https://api.hubapi.com', appUrl: 'https://app.hubspot.com' },
      fetch,
    ),
  salesforce: (fetch: CrmFetch) =>
    salesforce({ id: 'app', secret, loginUrl: 'https://login.salesforce.com' }, fetch),
};

describe.each(['hubspot', 'salesforce'] as const)('%s', (vendor) => {
  test.each(Object.keys(forms) as (keyof typeof forms)[])(
    'R18-3: an answer of the form “%s” that repeats the request gives no secret away',
    async (form) => {
      const crm = vendors[vendor](quoting(forms[form]));
      const asked = [
        () => crm.exchange({ code, redirectUri: 'https://calls.example.com', verifier }),
        () => crm.refresh(refreshToken, access.base),
        () => crm.account(access),
        () => crm.findContacts(access, 'a@a.example'),
        () => crm.update(access, 'call', '1', crm.callFields(sampleCall, defaultMapping)),
      ];
      for (const ask of asked) {
        const error = await ask().then(
          () => null,
          (failure: unknown) => failure,
        );
        expect(error).toBeInstanceOf(CrmFailure);
        const said = error instanceof CrmFailure ? error.message : '';
        const plus = (text: string) => encodeURIComponent(text).replaceAll('%20', '+');
        for (const one of [secret, refreshToken, access.token, code, verifier])
          for (const written of [one, encodeURIComponent(one), plus(one)])
            expect(said).not.toContain(written);
        expect(said).toContain('https://');
      }
    },
  );

  test.each([
    ['a token of another request', 'CLg8hfSvMBIUAAEAUAAA_xgYIAgBEO', 'for'],
    ['a JSON Web Token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'for'],
    ['a UUID, as HubSpot’s secrets are', '3f6d1c9e-8f57-4a9b-9d36-2f6c1f0a7b11', 'for'],
    ['a Salesforce session', '00D5g00000ABCDE!AQEAQPcL.xY_z1234567890abcdefgh', 'for'],
    ['a field of a form', 'refresh_token=abc123&client_secret=hunter2', 'for'],
  ])('R18-3: %s is not kept of an answer', async (_what, text, rest) => {
    const crm = vendors[vendor](quoting(() => forms.message(`Not valid for ${text} (sorry)`)));
    const error = await crm.findContacts(access, 'a@a.example').catch((one: unknown) => one);
    const said = error instanceof CrmFailure ? error.message : '';
    for (const part of text.split(/[=&]/).filter((one) => /\d/.test(one)))
      expect(said).not.toContain(part);
    expect(said).toContain(rest);
    expect(said).toContain('sorry');
  });

  test('R18-3: an answer without secrets stays as it is', async () => {
    const message = 'Property values were not valid: "rapport_score" must be a number (line 3).';
    const crm = vendors[vendor](quoting(() => forms.message(message)));
    await expect(crm.findContacts(access, 'a@a.example')).rejects.toThrow(message);
  });
});

const sampleCall = {
  id: '0199c3a0-0000-7000-8000-000000000001',
  topic: 'Kick-off',
  url: 'https://calls.example.com/app/calls/1',
  startedAt: new Date('2026-11-25T10:00:00Z'),
  durationSec: 60,
  notes: null,
  score: null,
  scoreFeedback: null,
  summary: null,
};
