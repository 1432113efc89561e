import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

interface TabsProps<Value extends string> {
  label: string;
  tabs: readonly { value: Value; title: string; panel: ReactNode }[];
  /** The tab that is open initially; by default the first one. */
  first?: NoInfer<Value>;
  /** Called with the tab that is opened. */
  onChange?: (value: Value) => void;
  className?: string;
  /** For each panel. */
  panelClassName?: string;
}

export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { label, tabs, first = tabs[0]?.value ?? '', onChange, className, panelClassName } = props;
  const opened = (name: string) => {
    const tab = tabs.find(({ value }) => value === name);
    if (tab) onChange?.(tab.value);
  };
  return (
    <Radix.Root defaultValue={first} onValueChange={opened} className={className}>
      <Radix.List aria-label={label} className="flex gap-1 rounded-lg bg-muted p-1">
        {tabs.map(({ value, title }) => (
          <Radix.Trigger
            key={value}
            value={value}
            className="h-8 flex-1 rounded-md px-3 text-sm font-medium text-muted-foreground hover:text-foreground data-[state=active]:bg-card data-[state=active]:text-foreground data-[state=active]:shadow-xs"
          >
            {title}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ value, panel }) => (
        <Radix.Content key={value} value={value} className={panelClassName}>
          {panel}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
