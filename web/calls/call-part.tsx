import type { ReactNode } from 'react';
import { Card, CardHeader } from '#web/ui/card.tsx';

interface CallPartProps {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}

/** One section of a call's page, under its heading. */
export function CallPart({ title, action, children }: CallPartProps) {
  return (
    <Card className="min-w-0">
      <CardHeader title={title} action={action} />
      <div className="p-5">{children}</div>
    </Card>
  );
}
