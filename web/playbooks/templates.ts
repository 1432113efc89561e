import { englishTemplates } from '#domain/playbooks/templates/english.ts';
import { germanTemplates } from '#domain/playbooks/templates/german.ts';
import {
  type PlaybookTemplate,
  type TemplateName,
  templateNames,
} from '#domain/playbooks/templates/template.ts';
import { language } from '#web/texts/language.ts';

const byName = language === 'de' ? germanTemplates : englishTemplates;

/** The templates in the language of this page. */
export const templates: readonly (PlaybookTemplate & { name: TemplateName })[] = templateNames.map(
  (name) => ({ name, ...byName[name] }),
);
