import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge, type BadgeLook } from '#web/ui/badge.tsx';

interface IntegrationRowProps {
  icon: LucideIcon;
  title: string;
  text: string;
  details?: ReactNode;
  state: string;
  look: BadgeLook;
  /** Its buttons. */
  children: ReactNode;
}

/** One service that an organization can connect to. */
export function IntegrationRow(props: IntegrationRowProps) {
  const { icon: Icon, title, text, details, state, look, children } = props;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
      <span className="grid size-9 place-items-center rounded-lg bg-muted text-muted-foreground">
        <Icon aria-hidden className="size-4.5" />
      </span>
      <div className="min-w-48 flex-1">
        <h3 className="text-sm font-medium">{title}</h3>
        <p className="text-sm text-muted-foreground">{text}</p>
        {details}
      </div>
      <Badge look={look}>{state}</Badge>
      <div className="flex items-center gap-1">{children}</div>
    </li>
  );
}
