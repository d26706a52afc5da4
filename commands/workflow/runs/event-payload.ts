/** The payload of the event that started a run, `github.event`, in the shape of GitHub's webhooks as far as it is known here. */
import type { Run } from '../../../domain/workflow/run/state';
import { inputTexts } from '../../../domain/workflow/trigger/dispatch-inputs';
import type { Commit, CommitSignature } from '../../../infra/ports/workflow/git-repositories';
import type { RunFacts } from './run-facts';

/** A branch that is new has no commit before. */
const noCommit = '0'.repeat(40);

const personOf = ({ name, email }: CommitSignature) => ({ name, email });

const commitPayload = ({ sha, tree, message, author, committer }: Commit) => ({
  id: sha,
  tree_id: tree,
  distinct: true,
  message,
  timestamp: committer.date,
  author: personOf(author),
  committer: personOf(committer),
});

const repositoryPayload = (run: Run, { repository, defaultBranch, publicUrl }: RunFacts) => {
  const [owner = '', name = ''] = repository.split('/');
  return {
    id: run.request.repoId,
    name,
    full_name: repository,
    private: true,
    owner: { login: owner, name: owner },
    default_branch: defaultBranch,
    html_url: `${publicUrl}/console/`,
    clone_url: `${publicUrl}/git/${repository}`,
  };
};

const pushPayload = ({ request }: Run, facts: RunFacts) => {
  const commits = facts.commits.map(commitPayload);
  const { ref, commitSha, beforeSha, actorId } = request;
  return {
    ref,
    before: beforeSha ?? noCommit,
    after: commitSha,
    created: beforeSha === null,
    deleted: false,
    commits,
    head_commit: commits.at(-1) ?? null,
    pusher: { name: actorId },
  };
};

/** `refs/pull/7/merge` */
const numberOf = (ref: string): number | null => {
  const [, number] = /^refs\/pull\/(\d+)\//.exec(ref) ?? [];
  return number === undefined ? null : Number(number);
};

const pullRequestPayload = ({ request }: Run) => {
  const { ref, branch, baseBranch, activity, commitSha, pullRequest } = request;
  const number = pullRequest?.number ?? numberOf(ref);
  return {
    action: activity,
    number,
    pull_request: {
      number,
      ...(pullRequest === null
        ? {}
        : {
            title: pullRequest.title,
            draft: pullRequest.draft,
            labels: pullRequest.labels.map((name) => ({ name })),
          }),
      head: { ref: branch, sha: commitSha },
      base: { ref: baseBranch },
    },
  };
};

const ownPayload = (run: Run, facts: RunFacts): { readonly [field: string]: unknown } => {
  const { eventType, ref, inputs, path } = run.request;
  if (eventType === 'workflow_dispatch') return { ref, inputs: inputTexts(inputs), workflow: path };
  return eventType === 'pull_request' ? pullRequestPayload(run) : pushPayload(run, facts);
};

export const eventPayload = (run: Run, facts: RunFacts): { readonly [field: string]: unknown } => ({
  ...ownPayload(run, facts),
  repository: repositoryPayload(run, facts),
  organization: { login: facts.repository.split('/')[0] },
  sender: { login: run.request.actorId },
});
