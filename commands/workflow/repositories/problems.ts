/** HTTP statuses and titles of what repositories refuse. */
import { commonProblems, type ProblemTable } from '../../../infra/server/http/problem';

export const organizationProblems = {
  'limit-above-plan': { status: 422, title: 'The plan has less' },
} as const satisfies ProblemTable;

export const repositoryProblems = {
  'repository-unknown': { status: 404, title: 'There is no such repository' },
  'repository-name-taken': { status: 409, title: 'The name of the repository is taken' },
} as const satisfies ProblemTable;

export const gitProblems = {
  'not-found': commonProblems['not-found'],
  'git-unavailable': { status: 503, title: 'Git is unavailable' },
  'repository-missing': { status: 503, title: 'The repository is still being created' },
  'commit-unknown': { status: 422, title: 'The repository has no such commit' },
  'ref-unknown': { status: 422, title: 'The repository has no such branch or tag' },
  'too-large': { status: 422, title: 'The commit has too many workflow files, or its repository is too large' },
  'remote-unavailable': { status: 502, title: 'The remote repository cannot be fetched' },
} as const satisfies ProblemTable;

/** Of routes that Git itself calls, which check the caller by themselves. */
export const gitRouteProblems = {
  ...gitProblems,
  unauthenticated: commonProblems.unauthenticated,
  forbidden: commonProblems.forbidden,
} as const satisfies ProblemTable;

export const eventProblems = {
  ...gitProblems,
  'definition-parser-unavailable': { status: 503, title: 'Workflow files cannot be read now' },
  'workflow-unknown': { status: 422, title: 'The commit has no such workflow file' },
  'workflow-not-dispatchable': { status: 422, title: 'The workflow cannot be started by hand' },
} as const satisfies ProblemTable;
