import '#web/platform/profile-texts.ts';
import { languages } from '#domain/languages.ts';
import { themes } from '#domain/looks.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { t } from '#web/platform/texts.ts';
import { chooseTheme, useTheme } from '#web/platform/theme.ts';
import { useChooseLanguage } from '#web/profile/queries.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

/** Each choice is saved immediately. */
export function PreferencesCard() {
  return (
    <Card>
      <CardHeader title={t('profile.preferences')} />
      <div className="grid gap-4 p-5">
        <LanguageField />
        <ThemeField />
      </div>
    </Card>
  );
}

function LanguageField() {
  const user = useUser();
  const { mutate, isPending } = useChooseLanguage();
  return (
    <Field label={t('profile.language')} hint={t('profile.languageHint')}>
      {(input) => (
        <Select
          {...input}
          value={user.language ?? ''}
          disabled={isPending}
          onChange={({ target }) =>
            mutate({ language: languages.find((name) => name === target.value) ?? null })
          }
        >
          <option value="">{t('profile.ofBrowser')}</option>
          {languages.map((name) => (
            <option key={name} value={name} lang={name}>
              {t(`profile.languages.${name}`)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function ThemeField() {
  const theme = useTheme();
  return (
    <Field label={t('shell.theme')} hint={t('profile.themeHint')}>
      {(input) => (
        <Select
          {...input}
          value={theme ?? 'system'}
          onChange={({ target }) =>
            chooseTheme(themes.find((name) => name === target.value) ?? null)
          }
        >
          {[...themes, 'system' as const].map((name) => (
            <option key={name} value={name}>
              {t(`shell.themes.${name}`)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
