/** Entitlements with their periods. */
import type { ComponentChildren } from 'preact';
import type { VideoEntitlement } from '../../../../packages/client/src/schemas';
import { StatusBadge, type Tone } from '../../components/status-badge';
import { type Column, Table } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { kindLabels, periodState } from './entitlement-kinds';

const tones: { readonly [state in ReturnType<typeof periodState>]: Tone } = {
  'begins later': 'plain',
  holds: 'good',
  'has ended': 'warn',
};

const State = ({ one }: { readonly one: VideoEntitlement }) => {
  const state = periodState(one, Date.now());
  return <StatusBadge tone={tones[state]}>{state}</StatusBadge>;
};

const End = ({ endsAt }: Pick<VideoEntitlement, 'endsAt'>) =>
  endsAt === null ? <>when it is revoked</> : <Timestamp at={endsAt} />;

const columns: readonly Column<VideoEntitlement>[] = [
  { title: 'Kind', isWide: true, show: ({ kind }) => kindLabels[kind] },
  { title: 'State', show: (one) => <State one={one} /> },
  { title: 'Begins', kind: 'tight', isWide: true, show: ({ beginsAt }) => <Timestamp at={beginsAt} /> },
  { title: 'Ends', kind: 'tight', isWide: true, show: End },
];

interface Props {
  readonly label: string;
  readonly entitlements: readonly VideoEntitlement[];
  readonly first: { readonly title: string; readonly show: (one: VideoEntitlement) => ComponentChildren };
  readonly actions?: Column<VideoEntitlement>;
}

export const EntitlementTable = ({ label, entitlements, first, actions }: Props) => (
  <Table
    label={label}
    rows={entitlements}
    columns={[
      {
        title: first.title,
        show: (one) => (
          <>
            {first.show(one)}
            <div class="below narrow dotted">
              <span>{kindLabels[one.kind]}</span>
              <span>
                ends <End endsAt={one.endsAt} />
              </span>
            </div>
          </>
        ),
      },
      ...columns,
      ...(actions === undefined ? [] : [actions]),
    ]}
    keyOf={({ entitlementId }) => entitlementId}
  />
);
