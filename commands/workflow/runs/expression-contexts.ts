/** The contexts that expressions of a workflow see, under the names that workflow files use. */
import type { NeedsContext } from '../../../domain/workflow/run/admission';
import type { Run } from '../../../domain/workflow/run/state';
import { inputTexts } from '../../../domain/workflow/trigger/dispatch-inputs';
import type { ExpressionContexts } from '../../../infra/ports/workflow/definitions';

/** The payload of the event, in the shape of GitHub's webhooks as far as it is known. */
const eventPayload = ({ request }: Run): { readonly [field: string]: unknown } => {
  const { eventType, ref, branch, baseBranch, activity, commitSha, beforeSha, inputs, path } = request;
  if (eventType === 'workflow_dispatch') return { ref, inputs: inputTexts(inputs), workflow: path };
  if (eventType !== 'pull_request') return { ref, before: beforeSha, after: commitSha };
  return { action: activity, pull_request: { head: { ref: branch, sha: commitSha }, base: { ref: baseBranch } } };
};

export interface RunContexts {
  readonly run: Run;
  /** `<organization>/<name>`. */
  readonly repository: string;
  readonly needs: NeedsContext;
}

export const expressionContexts = ({ run, repository, needs }: RunContexts): ExpressionContexts => {
  const { runId, eventType, ref, branch, baseBranch, commitSha, actorId, workflowName, inputs } = run.request;
  const isPullRequest = eventType === 'pull_request';
  const github = {
    event_name: eventType === 'tag' ? 'push' : eventType,
    event: eventPayload(run),
    ref,
    ref_name: branch,
    ref_type: ref.startsWith('refs/tags/') ? 'tag' : 'branch',
    head_ref: isPullRequest ? branch : '',
    base_ref: baseBranch ?? '',
    sha: commitSha,
    actor: actorId,
    repository,
    repository_owner: repository.split('/')[0],
    run_id: runId,
    run_attempt: run.attempt,
    workflow: workflowName,
  };
  return { github, needs, inputs, vars: {} };
};
