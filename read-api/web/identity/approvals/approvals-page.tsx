/** Approvals: what agents want to do, their delegators and reasons, and what became of it. */
import { useState } from 'preact/hooks';
import { approveAction, denyAction, listApprovals } from '../../../../packages/client/src/operations';
import { EmptyState } from '../../components/empty-state';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { StatusBadge, type Tone } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { hasScope } from '../../kernel/permissions';
import { usePages } from '../../kernel/use-pages';
import { Reference, useName } from '../../references/reference';
import { agentActionsPath } from '../fixed-paths';
import { type ReasonedAction, RowButton, useActions } from '../shared/action-dialog';
import { DescriptionList, isOver, TagList } from '../shared/display';
import { FormDialog } from '../shared/form-dialog';
import type { Approval, DecidedApproval } from '../wire';
import { actionFields, visibleText } from './action-fields';

const tones: { readonly [status in Approval['status']]: Tone } = {
  PENDING: 'warn',
  APPROVED: 'good',
  DENIED: 'bad',
  WITHDRAWN: 'plain',
  CONSUMED: 'good',
};
const names: { readonly [status in Approval['status']]: string } = {
  PENDING: 'waiting',
  APPROVED: 'approved',
  DENIED: 'denied',
  WITHDRAWN: 'withdrawn',
  CONSUMED: 'done',
};

/** No person decided in time, or the agent did not use the approval in time. */
const isExpired = ({ status, expiresAt, usableUntil }: Approval): boolean =>
  (status === 'PENDING' && isOver(expiresAt)) || (status === 'APPROVED' && isOver(usableUntil));

const isWaiting = (approval: Approval): boolean => approval.status === 'PENDING' && !isExpired(approval);

const ApprovalStatus = ({ approval }: { readonly approval: Approval }) => {
  if (isExpired(approval)) return <StatusBadge>expired</StatusBadge>;
  const { status, result, httpStatus } = approval;
  if (status === 'CONSUMED' && result === 'FAILED') return <StatusBadge tone="bad">failed ({httpStatus})</StatusBadge>;
  return <StatusBadge tone={tones[status]}>{names[status]}</StatusBadge>;
};

const ActionContent = ({ approval }: { readonly approval: Approval }) => {
  const { body, query } = approval;
  const fields = actionFields(body);
  if (fields.length === 0 && query === null) return <p class="faint">It sends nothing besides the path.</p>;
  return (
    <dl class="facts">
      {query !== null && (
        <div>
          <dt>Query</dt>
          <dd class="mono wraps">{visibleText(query)}</dd>
        </div>
      )}
      {fields.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="wraps">{value}</dd>
        </div>
      ))}
    </dl>
  );
};

/** What will be done stands first: it has to be in sight. */
const ActionDetails = ({ approval }: { readonly approval: Approval }) => (
  <>
    <DescriptionList
      facts={[
        ['Action', approval.summary],
        [
          'Request',
          <span key="request" class="mono wraps">
            {approval.method} {approval.path}
          </span>,
        ],
      ]}
    />
    <h3>What it sends</h3>
    <ActionContent approval={approval} />
    <h3>Who wants it, and why</h3>
    <DescriptionList
      facts={[
        ['Agent', <Reference key="agent" kind="principal" id={approval.agentId} />],
        [
          'On behalf of',
          approval.onBehalfOf === null ? (
            'Itself'
          ) : (
            <Reference key="delegator" kind="principal" id={approval.onBehalfOf} />
          ),
        ],
        ['Task', approval.taskId ?? 'None'],
        ['Reason of the agent', visibleText(approval.reason ?? 'Erased')],
        ['You need', <TagList key="scopes" words={approval.scopes} />],
        ['Expires', <Timestamp key="until" at={approval.expiresAt} />],
      ]}
    />
  </>
);

interface DialogProps {
  readonly approval: Approval;
  readonly onDone: () => void;
  readonly close: () => void;
}

const ApproveDialog = ({ approval, onDone, close }: DialogProps) => (
  <FormDialog<DecidedApproval>
    title="Approve exactly this action?"
    act="Approve once"
    success="The agent may do it once, within minutes."
    command={() => approveAction({ approvalId: approval.approvalId, body: { actionHash: approval.actionHash } })}
    onDone={onDone}
    close={close}
  >
    <ActionDetails approval={approval} />
  </FormDialog>
);

const denying = ({ approvalId }: Approval): ReasonedAction => ({
  title: 'Deny the action?',
  text: 'The agent is told no, with your reason.',
  act: 'Deny action',
  success: 'The action was denied.',
  isDangerous: true,
  command: (reason) => denyAction({ approvalId, body: { reason } }),
});

interface ActionsProps {
  readonly approval: Approval;
  readonly onApprove: () => void;
  readonly onDeny: () => void;
}

const RowActions = ({ approval, onApprove, onDeny }: ActionsProps) => {
  const agent = useName('principal', approval.agentId) ?? approval.agentId;
  if (!isWaiting(approval)) return null;
  return (
    <span class="actions">
      <RowButton label="Look and approve" what={`${approval.operation} of ${agent}`} onPress={onApprove} />
      <RowButton label="Deny" what={`${approval.operation} of ${agent}`} isDangerous onPress={onDeny} />
    </span>
  );
};

const columns: readonly Column<Approval>[] = [
  {
    title: 'Action',
    show: ({ summary, method, path }) => (
      <span class="row-name">
        {summary}
        <span class="below mono wraps">
          {method} {path}
        </span>
      </span>
    ),
  },
  { title: 'Agent', show: ({ agentId }) => <Reference kind="principal" id={agentId} isShort /> },
  {
    title: 'On behalf of',
    isWide: true,
    show: ({ onBehalfOf, taskId }) => (
      <>
        {onBehalfOf === null ? '—' : <Reference kind="principal" id={onBehalfOf} isShort />}
        <div class="below">{taskId}</div>
      </>
    ),
  },
  {
    title: 'Status',
    show: (approval) => (
      <>
        <ApprovalStatus approval={approval} />
        <div class="below">
          <Timestamp at={approval.answeredAt ?? approval.decidedAt ?? approval.requestedAt} />
        </div>
      </>
    ),
  },
  {
    title: 'Decided by',
    isWide: true,
    show: ({ approverId, endReason }) => (
      <>
        {approverId === null ? '—' : <Reference kind="principal" id={approverId} isShort />}
        <div class="below wraps">{endReason}</div>
      </>
    ),
  },
];

export const ApprovalsPage = () => {
  const pages = usePages(listApprovals({ limit: 50 }), { everyMilliseconds: 5_000 });
  const [shown, setShown] = useState<Approval>();
  const { openDialog, dialog } = useActions(pages.reload);
  const actions: Column<Approval> = {
    title: 'Actions',
    kind: 'tight',
    show: (approval) => (
      <RowActions
        approval={approval}
        onApprove={() => setShown(approval)}
        onDeny={() => openDialog(denying(approval))}
      />
    ),
  };
  return (
    <>
      <PageHeading
        title="Approvals"
        lead="What agents may do only with the approval of a person: one exact action, once."
      >
        {hasScope('security:read') && (
          <a class="button" href={agentActionsPath}>
            Actions of agents
          </a>
        )}
      </PageHeading>
      <PagedTable
        pages={pages}
        label="Requests for approval"
        one="request"
        columns={[...columns, actions]}
        keyOf={({ approvalId }) => approvalId}
        empty={
          <EmptyState title="No agent asked yet">
            A rule of the policy with the effect STEP_UP_REQUIRED makes agents ask before they act.
          </EmptyState>
        }
        rows={4}
      />
      {shown !== undefined && (
        <ApproveDialog approval={shown} onDone={pages.reload} close={() => setShown(undefined)} />
      )}
      {dialog}
    </>
  );
};
