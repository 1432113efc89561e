import '#web/platform/administration-texts.ts';
import { Activity, type LucideIcon, Pencil, Plus, Trash2, UserPlus } from 'lucide-react';
import { Link } from 'react-router';
import type { AuditEvent } from '#domain/audit/contract.ts';
import { actionText, type EventKind, kindOf } from '#web/audit/event-kind.ts';
import { targetPath } from '#web/audit/target-path.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { Badge } from '#web/ui/badge.tsx';
import { type Column, Table } from '#web/ui/table.tsx';

const icons: Record<EventKind, LucideIcon> = {
  delete: Trash2,
  create: Plus,
  update: Pencil,
  invite: UserPlus,
  other: Activity,
};

const columns: Column<AuditEvent>[] = [
  {
    title: t('audit.columns.kind'),
    titleHidden: true,
    stacked: 'bare',
    cell: ({ action }) => {
      const kind = kindOf(action);
      const Icon = icons[kind];
      return <Icon aria-hidden data-kind={kind} className="size-4 text-muted-foreground" />;
    },
  },
  {
    title: t('audit.columns.action'),
    stacked: 'bare',
    cell: ({ action }) => <Badge look="secondary">{actionText(action)}</Badge>,
  },
  { title: t('audit.columns.entity'), stacked: 'bare', cell: (event) => <Target event={event} /> },
  {
    title: t('audit.columns.user'),
    stacked: 'line',
    cell: (event) => <Who event={event} />,
  },
  {
    title: t('audit.columns.timestamp'),
    stacked: 'bare',
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} className="text-muted-foreground tabular-nums">
        {formatDateTime(createdAt)}
      </time>
    ),
  },
  {
    title: t('audit.columns.details'),
    stacked: 'line',
    cell: ({ metadata }) => <Metadata of={metadata} />,
  },
];

/** The kind of what was changed, and its name, which leads to it. */
function Target({ event }: { event: AuditEvent }) {
  const { entity, target } = event;
  const path = targetPath(event);
  return (
    <span className="grid">
      <span>{entity}</span>
      {target && (
        <span className="max-w-48 truncate text-xs text-muted-foreground" title={target.name}>
          {path ? (
            <Link to={path} className="rounded underline hover:text-foreground">
              {target.name}
            </Link>
          ) : (
            target.name
          )}
        </span>
      )}
    </span>
  );
}

/** The familiar name above the unique id; 'System' if no account acted. */
function Who({ event: { actor, userId, address } }: { event: AuditEvent }) {
  const id = userId ?? t('audit.system');
  return (
    <span className="grid">
      {actor.name}
      {actor.name !== id && (
        <span title={id} className="max-w-36 truncate font-mono text-xs text-muted-foreground">
          {id}
        </span>
      )}
      {address && (
        <span className="text-xs text-muted-foreground">{t('audit.from', { address })}</span>
      )}
    </span>
  );
}

function Metadata({ of: metadata }: { of: AuditEvent['metadata'] }) {
  if (!metadata) return <span className="text-muted-foreground">{t('common.missing')}</span>;
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded text-muted-foreground hover:text-foreground">
        {t('audit.viewMetadata')}
      </summary>
      <pre className="mt-2 max-w-96 rounded-md wrap-anywhere whitespace-pre-wrap bg-muted p-3 text-xs">
        {JSON.stringify(metadata, null, 2)}
      </pre>
    </details>
  );
}

/** Scrolls within 600 px (spec section 9). */
export function AuditTable({ events }: { events: readonly AuditEvent[] }) {
  return (
    <Table
      label={t('audit.recent')}
      columns={columns}
      rows={events}
      keyOf={({ id }) => id}
      stacks
      frameClassName="h-[600px] overflow-y-auto"
    />
  );
}
