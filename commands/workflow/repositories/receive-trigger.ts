/** Records an event of a repository with the definitions that it starts. */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { InputFault } from '../../../domain/kernel/codec';
import { type Rejection, reject } from '../../../domain/kernel/rejection';
import { definition as definitionDecider, numberOf } from '../../../domain/workflow/definition/decider';
import { definitionStream } from '../../../domain/workflow/definition/events';
import type { Checksum, CommitSha, DefinitionId } from '../../../domain/workflow/ids';
import { type ReceivedTrigger, trigger } from '../../../domain/workflow/trigger/decider';
import { type TypedInputs, typedInputs } from '../../../domain/workflow/trigger/dispatch-inputs';
import {
  type DefinitionAtCommit,
  DefinitionPath,
  type TriggerEvent,
  triggerStream,
} from '../../../domain/workflow/trigger/events';
import type { DefinitionFault, TriggerFacts } from '../../../infra/ports/workflow/definitions';
import type { CommitFile, GitFault, GitLocation, GitRejection } from '../../../infra/ports/workflow/git-repositories';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { Actor, HandledCommand, Refusal } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';
import type { WorkflowAdapters } from '../adapters';
import type { OpenRepository } from './find-repository';
import { skipsWorkflows } from './skips-workflows';

export interface TriggerDelivery {
  readonly location: GitLocation;
  readonly repository: OpenRepository;
  readonly received: Omit<ReceivedTrigger, 'definitions' | 'repoId'>;
  /** Of a manual dispatch: only this file is started, by its name or path. */
  readonly workflow?: string;
  /** Of the runs. Left out: 0. */
  readonly priority?: number;
  /** Who delivers it: the caller, not the actor that it names. */
  readonly deliveredBy: Actor;
  readonly commandId: string;
  readonly correlationId: string;
  readonly fingerprint: unknown;
}

export interface TriggerReceipt {
  /** Some definition matches. */
  readonly isAccepted: boolean;
  readonly handled: HandledCommand<TriggerEvent>;
}

/** The inputs do not fit the workflow; pointers begin at `/inputs`. */
export interface InputsRefusal {
  readonly kind: 'inputs';
  readonly faults: readonly InputFault[];
}

type DefinitionsRefusal =
  | GitFault
  | GitRejection
  | DefinitionFault
  | InputsRefusal
  | Rejection<'workflow-unknown' | 'workflow-not-dispatchable'>;

export type TriggerRefusal = DefinitionsRefusal | Refusal<never>;

const branchBase = async ({ repository, location, received }: TriggerDelivery): Promise<CommitSha | null> => {
  const { git, definition } = repository;
  if (received.eventType !== 'pull_request') return received.beforeSha;
  const base = await git.resolve(location, received.baseBranch ?? definition.defaultBranch);
  return isLeft(base) ? null : base.right;
};

const factsOf = async (delivery: TriggerDelivery): Promise<Either<GitFault | GitRejection, TriggerFacts>> => {
  const { repository, location, received } = delivery;
  const { eventType, ref, branch, baseBranch, activity, commitSha } = received;
  const facts = { eventType, ref, branch, baseBranch, activity };
  if (eventType !== 'push' && eventType !== 'pull_request') return right({ ...facts, changedPaths: undefined });
  const changedPaths = await repository.git.changedPaths(location, await branchBase(delivery), commitSha);
  return isLeft(changedPaths) ? changedPaths : right({ ...facts, changedPaths: changedPaths.right });
};

const checksumOf = (content: Uint8Array): Checksum =>
  `sha256:${createHash('sha256').update(content).digest('hex')}` as Checksum;

const maxNameLength = 300;

const definitionAt = async (
  { repository, location, received, priority }: TriggerDelivery,
  { file: { path, content }, name, inputs }: MatchingFile,
): Promise<Either<GitFault | GitRejection, DefinitionAtCommit>> => {
  const version = await repository.git.changesOf(location, received.commitSha, path);
  if (isLeft(version)) return version;
  const workflowName = (name === undefined || name === '' ? path : name).slice(0, maxNameLength).toWellFormed();
  return right({
    workflowDefinitionId: derivedId('workflow-definition', location.tenantId, location.repoId, path) as DefinitionId,
    path,
    yamlHash: checksumOf(content),
    version: version.right,
    workflowName,
    ...(inputs === undefined ? {} : { inputs }),
    ...(priority === undefined ? {} : { priority }),
  });
};

/** `build.yml`, or the whole path. Without a name, every file. */
const isNamed = (path: string, workflow: string | undefined): boolean =>
  workflow === undefined || path === workflow || posix.basename(path) === workflow;

interface MatchingFile {
  readonly file: CommitFile;
  /** The file's; undefined: it has none, or cannot be read. */
  readonly name: string | undefined;
  readonly inputs: TypedInputs | undefined;
}

type Matched = Either<
  DefinitionFault | InputsRefusal | Rejection<'workflow-not-dispatchable'>,
  MatchingFile | undefined
>;

/** A file that cannot be read matches: its run shows why. */
const matchFile = async (
  { definitions }: Pick<WorkflowAdapters, 'definitions'>,
  { location, received, workflow }: TriggerDelivery,
  { file, facts }: { readonly file: CommitFile; readonly facts: TriggerFacts },
): Promise<Matched> => {
  const triggers = await definitions.readTriggers(file.content, location.tenantId, facts);
  if (isLeft(triggers))
    return 'kind' in triggers.left ? left(triggers.left) : right({ file, name: undefined, inputs: undefined });
  const { name, matches, inputs: declared } = triggers.right;
  if (!matches && workflow !== undefined)
    return reject('workflow-not-dispatchable', `${file.path} has no workflow_dispatch at this commit.`);
  if (!matches) return right(undefined);
  if (received.eventType !== 'workflow_dispatch') return right({ file, name, inputs: undefined });
  const inputs = typedInputs(declared, received.inputs);
  return isLeft(inputs) ? left({ kind: 'inputs', faults: inputs.left }) : right({ file, name, inputs: inputs.right });
};

/** Runs that a person or a clock starts are never skipped. */
const isSkipped = async ({
  repository,
  location,
  received,
}: TriggerDelivery): Promise<Either<GitFault | GitRejection, boolean>> => {
  const { eventType, commitSha } = received;
  if (eventType !== 'push' && eventType !== 'pull_request') return right(false);
  const commits = await repository.git.commits(location, { from: null, to: commitSha, most: 1 });
  return isLeft(commits) ? commits : right(commits.right.some(({ message }) => skipsWorkflows(message)));
};

const matchingDefinitions = async (
  adapters: Pick<WorkflowAdapters, 'definitions'>,
  delivery: TriggerDelivery,
): Promise<Either<DefinitionsRefusal, readonly DefinitionAtCommit[]>> => {
  const { repository, location, received, workflow } = delivery;
  const files = await repository.git.workflowFiles(location, received.commitSha);
  if (isLeft(files)) return files;
  const skipped = files.right.length === 0 ? right(false) : await isSkipped(delivery);
  if (isLeft(skipped)) return skipped;
  if (skipped.right) return right([]);
  const facts = await factsOf(delivery);
  if (isLeft(facts)) return facts;
  const matching: DefinitionAtCommit[] = [];
  const named = files.right.filter(({ path }) => DefinitionPath.is(path) && isNamed(path, workflow));
  if (workflow !== undefined && named.length === 0)
    return reject('workflow-unknown', `The commit has no workflow file ${workflow}.`);
  for (const file of workflow === undefined ? named : named.slice(0, 1)) {
    const match = await matchFile(adapters, delivery, { file, facts: facts.right });
    if (isLeft(match)) return match;
    if (match.right === undefined) continue;
    const definition = await definitionAt(delivery, match.right);
    if (isLeft(definition)) return definition;
    matching.push(definition.right);
  }
  return right(matching);
};

/** Each with the number of the run that it becomes. */
const numbered = async (
  adapters: WorkflowAdapters,
  { location, received, deliveredBy, correlationId }: TriggerDelivery,
  matching: readonly DefinitionAtCommit[],
): Promise<Either<Refusal<never>, readonly DefinitionAtCommit[]>> => {
  const result: DefinitionAtCommit[] = [];
  for (const one of matching) {
    const { workflowDefinitionId } = one;
    const { eventId: triggerEventId } = received;
    const stream = definitionStream(location.tenantId, workflowDefinitionId);
    const handled = await handle(adapters, definitionDecider, {
      stream,
      command: { type: 'NumberRun' as const, workflowDefinitionId, triggerEventId },
      commandId: derivedId('workflow-run-number', location.tenantId, workflowDefinitionId, triggerEventId),
      tenant: location.tenantId,
      actor: deliveredBy,
      correlationId,
    });
    if (isLeft(handled)) return handled;
    const [recorded] = handled.right.events;
    // Of an event that is delivered again, the stream has it.
    const state = recorded === undefined ? await loadStream(adapters, definitionDecider, stream) : undefined;
    if (state !== undefined && isLeft(state)) return state;
    const runNumber = recorded?.data.runNumber ?? (state && numberOf(state.right, triggerEventId));
    result.push(runNumber === undefined ? one : { ...one, runNumber });
  }
  return right(result);
};

/** Delivered again under the same id, it has one effect and the first answer. */
export const receiveTrigger = async (
  adapters: WorkflowAdapters,
  delivery: TriggerDelivery,
): Promise<Either<TriggerRefusal, TriggerReceipt>> => {
  const matching = await matchingDefinitions(adapters, delivery);
  if (isLeft(matching)) return matching;
  const definitions = await numbered(adapters, delivery, matching.right);
  if (isLeft(definitions)) return definitions;
  const { location, received, deliveredBy, commandId, correlationId, fingerprint } = delivery;
  const stream = triggerStream(location.tenantId, received.eventId);
  const handled = await handle(adapters, trigger, {
    stream,
    command: {
      type: 'ReceiveTrigger' as const,
      ...received,
      repoId: location.repoId,
      definitions: definitions.right,
    },
    commandId,
    tenant: location.tenantId,
    actor: deliveredBy,
    correlationId,
    fingerprint,
    fresh: true,
  });
  if (isLeft(handled)) return handled;
  if (handled.right.events.length > 0)
    return right({ isAccepted: definitions.right.length > 0, handled: handled.right });
  const recorded = await loadStream({ store: adapters.store }, trigger, stream);
  if (isLeft(recorded)) return recorded;
  const isAccepted = recorded.right.kind === 'received' && recorded.right.isAccepted;
  return right({ isAccepted, handled: handled.right });
};
