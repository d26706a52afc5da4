/** Records an event of a repository with the definitions that it starts. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Rejection } from '../../../domain/kernel/rejection';
import { reject } from '../../../domain/kernel/rejection';
import type { Checksum, CommitSha, DefinitionId } from '../../../domain/workflow/ids';
import { triggerStream } from '../../../domain/workflow/streams';
import { type ReceivedTrigger, trigger } from '../../../domain/workflow/trigger/decider';
import type { TriggerEvent } from '../../../domain/workflow/trigger/events';
import { type DefinitionAtCommit, DefinitionPath } from '../../../domain/workflow/trigger/events';
import type { DefinitionFault, DispatchInput, TriggerFacts } from '../../../infra/ports/workflow/definitions';
import type { CommitFile, GitFault, GitLocation, GitRejection } from '../../../infra/ports/workflow/git-repositories';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { HandledCommand, Refusal } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';
import type { WorkflowPlatform } from '../platform';
import type { OpenRepository } from './find-repository';

export interface TriggerDelivery {
  readonly location: GitLocation;
  readonly repository: OpenRepository;
  readonly received: Omit<ReceivedTrigger, 'definitions' | 'repoId'>;
  /** Who delivers it: the caller, not the actor that it names. */
  readonly deliveredBy: string;
  readonly commandId: string;
  readonly correlationId: string;
  readonly fingerprint: unknown;
}

export interface TriggerReceipt {
  /** Some definition matches. */
  readonly isAccepted: boolean;
  readonly handled: HandledCommand<TriggerEvent>;
}

export type TriggerRefusal = GitFault | GitRejection | DefinitionFault | Rejection<'inputs-refused'> | Refusal<never>;

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
  { repository, location, received }: TriggerDelivery,
  { path, content }: CommitFile,
  name: string | undefined,
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
  });
};

const faultOfInputs = (declared: readonly DispatchInput[], given: ReceivedTrigger['inputs']): string | undefined => {
  for (const { name, required, default: usual, type, options } of declared) {
    const value = given[name] ?? usual;
    if (value === undefined && required) return `The workflow needs the input ${name}.`;
    if (value !== undefined && type === 'choice' && !options.includes(value))
      return `The input ${name} is one of ${options.join(', ')}.`;
  }
  return undefined;
};

type Matching = Either<
  GitFault | GitRejection | DefinitionFault | Rejection<'inputs-refused'>,
  readonly DefinitionAtCommit[]
>;

const matchingDefinitions = async (
  { definitions }: Pick<WorkflowPlatform, 'definitions'>,
  delivery: TriggerDelivery,
): Promise<Matching> => {
  const { repository, location, received } = delivery;
  const files = await repository.git.workflowFiles(location, received.commitSha);
  if (isLeft(files)) return files;
  const facts = await factsOf(delivery);
  if (isLeft(facts)) return facts;
  const matching: DefinitionAtCommit[] = [];
  for (const file of files.right) {
    if (!DefinitionPath.is(file.path)) continue;
    const triggers = await definitions.readTriggers(file.content, file.path, facts.right);
    if (isLeft(triggers) && 'kind' in triggers.left) return left(triggers.left);
    if (!isLeft(triggers) && !triggers.right.matches) continue;
    if (!isLeft(triggers) && received.eventType === 'workflow_dispatch') {
      const fault = faultOfInputs(triggers.right.inputs, received.inputs);
      if (fault !== undefined) return reject('inputs-refused', fault);
    }
    const definition = await definitionAt(delivery, file, isLeft(triggers) ? undefined : triggers.right.name);
    if (isLeft(definition)) return definition;
    matching.push(definition.right);
  }
  return right(matching);
};

/** Delivered again under the same id, it has one effect and the first answer. */
export const receiveTrigger = async (
  platform: WorkflowPlatform,
  delivery: TriggerDelivery,
): Promise<Either<TriggerRefusal, TriggerReceipt>> => {
  const definitions = await matchingDefinitions(platform, delivery);
  if (isLeft(definitions)) return definitions;
  const { location, received, deliveredBy, commandId, correlationId, fingerprint } = delivery;
  const stream = triggerStream(location.tenantId, received.eventId);
  const handled = await handle(platform, trigger, {
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
  const recorded = await loadStream({ store: platform.store }, trigger, stream);
  if (isLeft(recorded)) return recorded;
  const isAccepted = recorded.right.kind === 'received' && recorded.right.isAccepted;
  return right({ isAccepted, handled: handled.right });
};
