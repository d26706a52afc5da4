/** The contexts that expressions of a workflow see, under the names that workflow files use. */
import type { NeedsContext } from '../../../domain/workflow/run/admission';
import type { Run } from '../../../domain/workflow/run/state';
import type { ExpressionContexts } from '../../../infra/ports/workflow/definitions';
import { eventPayload } from './event-payload';
import type { RunFacts } from './run-facts';

export interface RunContexts {
  readonly run: Run;
  readonly facts: RunFacts;
  readonly needs: NeedsContext;
  /** Of one job: its key below `jobs:`. */
  readonly job?: string;
}

/** Names and types are those of GitHub's context `github`. Ids are ours: texts. */
export const expressionContexts = ({ run, facts, needs, job }: RunContexts): ExpressionContexts => {
  const { request, attempt, retriedBy } = run;
  const { runId, eventType, ref, branch, baseBranch, commitSha, actorId, workflowName, path, inputs } = request;
  const { repository, publicUrl } = facts;
  const isPullRequest = eventType === 'pull_request';
  const [owner] = repository.split('/');
  const github = {
    event_name: eventType === 'tag' ? 'push' : eventType,
    event: eventPayload(run, facts),
    ref,
    ref_name: branch,
    ref_type: ref.startsWith('refs/tags/') ? 'tag' : 'branch',
    ref_protected: false,
    head_ref: isPullRequest ? branch : '',
    base_ref: baseBranch ?? '',
    sha: commitSha,
    actor: actorId,
    actor_id: actorId,
    triggering_actor: retriedBy ?? actorId,
    repository,
    repository_id: request.repoId,
    repository_owner: owner,
    repository_owner_id: owner,
    repositoryUrl: `${publicUrl}/git/${repository}`,
    run_id: runId,
    run_number: request.runNumber,
    run_attempt: attempt,
    workflow: workflowName,
    workflow_ref: `${repository}/${path}@${ref}`,
    workflow_sha: commitSha,
    server_url: publicUrl,
    api_url: `${publicUrl}/v1`,
    ...(job === undefined ? {} : { job }),
  };
  return { github, needs, inputs, vars: {} };
};
