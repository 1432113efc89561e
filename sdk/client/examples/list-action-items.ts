import { createClient } from '@rapport/client';

const { RAPPORT_URL: url = '', RAPPORT_TOKEN: token = '', CALL_ID: id = '' } = process.env;
const rapport = createClient({ url, token });

const { actionItems } = await rapport.listActionItems({ params: { id } });
for (const { title, dueOn, completedAt } of actionItems) {
  console.log(`${completedAt ? 'done' : 'open'}: ${title}, due ${dueOn ?? 'any time'}`);
}
