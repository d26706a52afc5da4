/** `GET /repos/{repoId}/workflows`: the workflow files at a branch that can be started by hand, with the inputs that they declare. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { listOf, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { CommitSha, RepositoryId } from '../../../domain/workflow/ids';
import { BranchName } from '../../../domain/workflow/repository/events';
import type { DispatchInput } from '../../../domain/workflow/trigger/dispatch-inputs';
import { DefinitionPath } from '../../../domain/workflow/trigger/events';
import type { CommitFile } from '../../../infra/ports/workflow/git-repositories';
import { problem, problemOf } from '../../../infra/server/http/problem';
import { route } from '../../../infra/server/http/routing/route';
import type { WorkflowAdapters } from '../adapters';
import { findRepository } from './find-repository';
import { eventProblems } from './problems';

const InputText = text('DeclaredInputText', { minLength: 0, maxLength: 512_000 });

const DeclaredInput = record('DeclaredInput', {
  name: InputText,
  description: nullable(InputText),
  type: oneOf('DeclaredInputType', ['string', 'boolean', 'number', 'choice', 'environment']),
  required: t.boolean,
  default: nullable(InputText),
  options: t.readonlyArray(InputText, 'DeclaredInputOptions'),
});

const DispatchableWorkflow = record('DispatchableWorkflow', {
  path: DefinitionPath,
  name: InputText,
  inputs: listOf('DeclaredInputs', DeclaredInput, 25),
});
type DispatchableWorkflow = t.TypeOf<typeof DispatchableWorkflow>;

const declared = ({ default: value, description, ...input }: DispatchInput) => ({
  ...input,
  description: description ?? null,
  default: value ?? null,
});

/** Null: the file has no `workflow_dispatch`, or faults that its run would show. */
const read = async (
  { definitions }: Pick<WorkflowAdapters, 'definitions'>,
  { path, content }: CommitFile,
  { tenantId, branch }: { readonly tenantId: TenantId; readonly branch: string },
) => {
  const dispatch = { eventType: 'workflow_dispatch', ref: `refs/heads/${branch}`, branch } as const;
  const facts = { ...dispatch, baseBranch: null, activity: null, changedPaths: undefined };
  const triggers = await definitions.readTriggers(content, tenantId, facts);
  if (isLeft(triggers)) return 'kind' in triggers.left ? triggers.left : null;
  const { matches, name = path, inputs } = triggers.right;
  return matches ? { path, name, inputs: inputs.map(declared) } : null;
};

/** How many are offered: any other can be named. */
const mostBranches = 100;

export const listDispatchableWorkflows = route<WorkflowAdapters>()({
  method: 'get',
  path: '/repos/:repoId/workflows',
  operation: 'listDispatchableWorkflows',
  summary: 'List the workflows of a branch that can be started by hand',
  description:
    'What `POST /repos/{repoId}/events` needs for a `workflow_dispatch`: the commit at which the branch is, the 100 branches with the latest commits, and each file with `workflow_dispatch` and its inputs. Without `branch`, the default branch. Files with faults are left out.',
  access: { scopes: ['workflows:read'] },
  params: record('DispatchRepositoryPath', { repoId: RepositoryId }),
  query: record('DispatchableQuery', {}, { branch: BranchName }),
  answers: {
    200: {
      description: 'The workflows, by path.',
      body: record('DispatchableWorkflows', {
        branch: BranchName,
        commitSha: CommitSha,
        branches: listOf('DispatchableBranches', BranchName, mostBranches),
        workflows: t.readonlyArray(DispatchableWorkflow, 'DispatchableWorkflowList'),
      }),
    },
  },
  problems: eventProblems,
  handle: async (adapters, { params: { repoId }, query, identity: { tenantId } }) => {
    if (!TenantId.is(tenantId)) return problem('forbidden', 'The tenant of the token is unknown.');
    const location = { tenantId, repoId };
    const repository = await findRepository(adapters, location);
    if (isLeft(repository)) return problemOf<string>(repository.left, eventProblems);
    const { git, definition } = repository.right;
    const branch = query.branch ?? definition.defaultBranch;
    const commit = await git.resolve(location, `refs/heads/${branch}`);
    if (isLeft(commit)) return problemOf<string>(commit.left, eventProblems);
    const files = await git.workflowFiles(location, commit.right);
    if (isLeft(files)) return problemOf<string>(files.left, eventProblems);
    const workflows: DispatchableWorkflow[] = [];
    for (const file of files.right) {
      if (!DefinitionPath.is(file.path)) continue;
      const workflow = await read(adapters, file, { tenantId, branch });
      if (workflow === null) continue;
      if ('kind' in workflow) return problemOf<string>(workflow, eventProblems);
      workflows.push({ ...workflow, path: file.path });
    }
    const branches = await git.branches(location, mostBranches);
    if (isLeft(branches)) return problemOf<string>(branches.left, eventProblems);
    return {
      status: 200,
      body: { branch, commitSha: commit.right, branches: branches.right.filter(BranchName.is), workflows },
    };
  },
});
