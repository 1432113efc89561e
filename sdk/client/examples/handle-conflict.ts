import { createClient, RapportError } from '@rapport/client';

const { RAPPORT_URL: url = '', RAPPORT_TOKEN: token = '', PLAYBOOK_ID: id = '' } = process.env;
const rapport = createClient({ url, token });

const save = (version: number) =>
  rapport.updatePlaybook({
    params: { id },
    body: { title: 'Onboarding 2027', checklistItems: [{ text: 'Agree on goals' }], version },
  });

// Someone else may have changed the playbook since you read this version.
const saved = await save(Number(process.env.PLAYBOOK_VERSION)).catch(async (error: unknown) => {
  if (!(error instanceof RapportError) || error.status !== 409) throw error;
  // Read it, decide whether the change still makes sense, and send its version.
  const { version } = await rapport.readPlaybook({ params: { id } });
  return save(version);
});
console.log(saved.title, saved.version);
