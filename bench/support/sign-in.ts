/** Returns the session cookie of the account that e2e/support/api.ts creates for a topic. */
export async function sessionCookie(url: string, topic: string): Promise<string> {
  const email = `${topic.toLowerCase().replaceAll(/\W+/g, '-')}@acme.example`;
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse' }),
  });
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('rapport_session='));
  if (!answer.ok || !cookie) throw new Error(`${email} could not sign in: ${answer.status}`);
  return cookie.split(';')[0] ?? '';
}
