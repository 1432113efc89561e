import '#web/platform/embedding-texts.ts';
import { codeExamples } from '#web/embedding/code-examples.ts';
import { CopyButton } from '#web/platform/copy-button.tsx';
import { t } from '#web/platform/texts.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

const kinds = ['html', 'react', 'server', 'link'] as const;

/** What to copy into the site, and into the server behind it. */
export function CodeCard() {
  const examples = codeExamples(location.origin);
  return (
    <Card>
      <CardHeader title={t('embedding.code.title')} />
      <Tabs
        label={t('embedding.code.tabs')}
        className="p-5"
        panelClassName="pt-4"
        tabs={kinds.map((kind) => ({
          value: kind,
          title: t(`embedding.code.${kind}`),
          panel: <Example text={t(`embedding.code.${kind}Text`)} code={examples[kind]} />,
        }))}
      />
    </Card>
  );
}

function Example({ text, code }: { text: string; code: string }) {
  return (
    <div className="grid grid-cols-1 justify-items-start gap-3 text-sm">
      <p className="text-muted-foreground">{text}</p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by the keyboard, too
        tabIndex={0}
        className="w-full overflow-x-auto rounded-md bg-muted px-3 py-2.5 text-xs leading-relaxed"
      >
        <code>{code}</code>
      </pre>
      <CopyButton
        label={t('embedding.code.copy')}
        done={t('embedding.code.copied')}
        text={() => code}
      />
    </div>
  );
}
