/** The audit record of one action of an agent, whole. */
import { getAgentAction } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { PageHeading } from '../../components/page-heading';
import { Timestamp } from '../../components/timestamp';
import { useResource } from '../../kernel/use-resource';
import { CopyableId } from '../../references/copyable-id';
import { Reference } from '../../references/reference';
import type { PageProps } from '../../shell/section';
import { agentActionsPath } from '../fixed-paths';
import { DescriptionList, TagList } from '../shared/display';
import type { AgentAction } from '../wire';
import { ActionResult } from './agent-action-result';

const Principal = ({ id }: { readonly id: string | null }) =>
  id === null ? <>None</> : <Reference kind="principal" id={id} />;

const Id = ({ id, of }: { readonly id: string | null; readonly of: string }) =>
  id === null ? <>None</> : <CopyableId id={id} of={of} />;

const Facts = ({ action }: { readonly action: AgentAction }) => {
  const { initiatorId, agentId, delegationId, taskId, requestId, tool, resource, scopes, timestamp } = action;
  const { policyDecision, policyVersion, approvalId, approverId, actionHash, jti } = action;
  return (
    <DescriptionList
      facts={[
        ['Result', <ActionResult key="result" action={action} />],
        ['At', timestamp === null ? 'Unknown' : <Timestamp key="at" at={timestamp} />],
        [
          'Request',
          <span key="resource" class="mono wraps">
            {resource}
          </span>,
        ],
        ['Agent', <Principal key="agent" id={agentId} />],
        ['On behalf of', <Principal key="initiator" id={initiatorId} />],
        ['Approved by', <Principal key="approver" id={approverId} />],
        ['Task', taskId ?? 'None'],
        ['Delegation', <Id key="delegation" id={delegationId} of="the delegation" />],
        ['Approval', <Id key="approval" id={approvalId} of="the approval" />],
        ['Audience', tool],
        ['Scopes', <TagList key="scopes" words={scopes} />],
        [
          'Decision of the policy',
          policyVersion === null ? policyDecision : `${policyDecision}, version ${policyVersion}`,
        ],
        ['Hash of the action', <Id key="hash" id={actionHash} of="the hash of the action" />],
        ['Token', <Id key="token" id={jti} of="the token" />],
        ['Request id', <Id key="request" id={requestId} of="the request" />],
      ]}
    />
  );
};

export const AgentActionPage = ({ params: { approvalId = '' } }: PageProps) => {
  const action = useResource(getAgentAction({ approvalId }));
  return (
    <>
      <PageHeading
        title={action.content?.operation ?? 'Action of an agent'}
        trail={[{ label: 'Actions of agents', path: agentActionsPath }]}
        lead={<CopyableId id={approvalId} of="the approval" />}
      />
      <AsyncContent source={action} rows={6}>
        {(found) => <Facts action={found} />}
      </AsyncContent>
    </>
  );
};
