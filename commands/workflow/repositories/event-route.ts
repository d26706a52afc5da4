/** `POST /repos/{repoId}/events`: an event of a repository that no push of this service brings. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { constrained, oneOf, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { CommitSha, RepositoryId, TriggerEventId } from '../../../domain/workflow/ids';
import { Priority } from '../../../domain/workflow/limits';
import { BranchName } from '../../../domain/workflow/repository/events';
import { DispatchInputs } from '../../../domain/workflow/trigger/dispatch-inputs';
import { PullRequest } from '../../../domain/workflow/trigger/events';
import { commonProblems, invalidInput, problem, problemOf } from '../../../infra/server/http/problem';
import { positionHeader } from '../../../infra/server/http/routing/position-header';
import { route } from '../../../infra/server/http/routing/route';
import { commandHeaderDocs, commandHeaders } from '../../kernel/command-headers';
import { derivedId } from '../../kernel/deterministic-ids';
import { callerOf } from '../../kernel/handle-request';
import type { WorkflowAdapters } from '../adapters';
import { findCommit } from './find-commit';
import { findRepository } from './find-repository';
import { eventProblems } from './problems';
import { receiveTrigger } from './receive-trigger';

const EventType = oneOf('RepositoryEventType', ['push', 'pull_request', 'tag', 'workflow_dispatch']);
const RefInput = text('EventRef', { maxLength: 220, examples: ['main'] });

const RepositoryEventInput = constrained(
  record(
    'RepositoryEventInput',
    { eventType: EventType, branch: RefInput, commitSha: CommitSha, actorId: PrincipalId },
    {
      workflow: text('WorkflowFile', { maxLength: 300, examples: ['build.yml'] }),
      inputs: DispatchInputs,
      priority: Priority,
      baseBranch: RefInput,
      activity: text('EventActivity', { maxLength: 60, examples: ['opened'] }),
      beforeSha: CommitSha,
      pullRequest: PullRequest,
    },
  ),
  {
    if: { required: ['workflow'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { eventType: { const: 'workflow_dispatch' } } },
  },
);

const prefixes = {
  push: 'refs/heads/',
  tag: 'refs/tags/',
  pull_request: 'refs/heads/',
  workflow_dispatch: 'refs/heads/',
};

const shortName = (name: string): string => name.replace(/^refs\/(?:heads|tags)\//, '');

const isNoCommit = (sha: string): boolean => /^0+$/.test(sha);

const notAName = (field: string) => ({ pointer: `/body/${field}`, expected: 'the name of a branch or tag' });

export const receiveRepositoryEvent = route<WorkflowAdapters>()({
  method: 'post',
  path: '/repos/:repoId/events',
  operation: 'receiveRepositoryEvent',
  summary: 'Report an event of a repository, which starts the workflows that it triggers',
  description:
    'Workflow files are read at the commit, which must be in the repository; that of a remote repository is fetched. `branch` is the branch, the tag, or the source branch of a pull request; `baseBranch` the branch that it is to be merged into. A manual dispatch (`workflow_dispatch`) names its `workflow` by file or path, else it starts every workflow that can be dispatched; `inputs` must fit what each declares. `priority` puts the jobs before those of lower ones of the organization; 0 where it is left out. `pullRequest` is what workflows see of it in `github.event.pull_request`. A push by Git needs no report. Delivered again under the same Idempotency-Key, it is recorded once.',
  access: { scopes: ['workflows:write'] },
  sensitive: false,
  headers: commandHeaderDocs.slice(0, 1),
  params: record('EventRepositoryPath', { repoId: RepositoryId }),
  body: RepositoryEventInput,
  answers: {
    202: {
      description: 'Recorded, now or before. `accepted`: a workflow matches, so that runs follow.',
      body: record('RepositoryEventAnswer', { eventId: TriggerEventId, accepted: t.boolean }),
      headers: ['Position', 'Idempotency-Key'],
    },
  },
  problems: {
    ...eventProblems,
    conflict: commonProblems.conflict,
    'idempotency-key-reused': commonProblems['idempotency-key-reused'],
    'event-store-unavailable': commonProblems['event-store-unavailable'],
    'event-store-ambiguous': commonProblems['event-store-ambiguous'],
    'event-refused': commonProblems['event-refused'],
  },
  handle: async (adapters, { params: { repoId }, body, headers, identity, requestId }) => {
    const { tenantId, principalId } = identity;
    if (!TenantId.is(tenantId)) return problem('forbidden', 'The tenant of the token is unknown.');
    const read = commandHeaders(headers);
    if (isLeft(read)) return read.left;
    const { key = adapters.random.uuid() } = read.right;
    const branch = shortName(body.branch);
    const baseBranch = body.baseBranch === undefined ? null : shortName(body.baseBranch);
    if (!BranchName.is(branch)) return invalidInput([notAName('branch')]);
    if (baseBranch !== null && !BranchName.is(baseBranch)) return invalidInput([notAName('baseBranch')]);
    if (body.workflow !== undefined && body.eventType !== 'workflow_dispatch')
      return invalidInput([{ pointer: '/body/workflow', expected: 'no workflow: only workflow_dispatch names one' }]);
    const location = { tenantId, repoId };
    const repository = await findRepository(adapters, location);
    if (isLeft(repository)) return problemOf<string>(repository.left, eventProblems);
    const commit = await findCommit(repository.right, location, body.commitSha);
    if (isLeft(commit)) return problemOf<string>(commit.left, eventProblems);
    const commandId = derivedId('command', tenantId, principalId, key);
    const eventId = derivedId('named', commandId, 'workflow-event') as TriggerEventId;
    const receipt = await receiveTrigger(adapters, {
      location,
      repository: repository.right,
      received: {
        eventId,
        eventType: body.eventType,
        ref: body.branch.startsWith('refs/') ? body.branch : `${prefixes[body.eventType]}${branch}`,
        branch,
        baseBranch,
        activity: body.activity ?? null,
        commitSha: commit.right,
        beforeSha: body.beforeSha === undefined || isNoCommit(body.beforeSha) ? null : body.beforeSha,
        actorId: body.actorId,
        pullRequest: body.pullRequest ?? null,
        inputs: body.inputs ?? {},
      },
      ...(body.workflow === undefined ? {} : { workflow: body.workflow }),
      ...(body.priority === undefined ? {} : { priority: body.priority }),
      deliveredBy: callerOf(identity),
      commandId,
      correlationId: requestId,
      fingerprint: ['receiveRepositoryEvent', repoId, body],
    });
    if (isLeft(receipt)) {
      const refused =
        receipt.left.kind === 'inputs'
          ? invalidInput(receipt.left.faults.map(({ pointer, expected }) => ({ pointer: `/body${pointer}`, expected })))
          : problemOf<string>(receipt.left, eventProblems);
      return { ...refused, headers: { ...refused.headers, 'Idempotency-Key': key } };
    }
    const { isAccepted, handled } = receipt.right;
    return {
      status: 202,
      body: { eventId, accepted: isAccepted },
      headers: { ...positionHeader(handled.position), 'Idempotency-Key': key },
    };
  },
});
