/** An event of a repository, and the definitions that it starts. */
import * as t from 'io-ts';
import { integer, listOf, nameText, nullable, oneOf, record, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { Checksum, CommitSha, DefinitionId, RepositoryId, TriggerEventId } from '../ids';
import { limits, Priority } from '../limits';
import { DispatchInputs, TypedInputs } from './dispatch-inputs';

export const TriggerType = oneOf('TriggerType', ['push', 'pull_request', 'tag', 'workflow_dispatch', 'schedule']);
export type TriggerType = t.TypeOf<typeof TriggerType>;

export const DefinitionPath = text('DefinitionPath', {
  maxLength: 300,
  pattern: '\\.(?:github|septet)/workflows/[^/\\x00-\\x1f]+\\.ya?ml',
  examples: ['.github/workflows/build.yml'],
});

/** A workflow file as it is at the commit. */
export const DefinitionAtCommit = record(
  'DefinitionAtCommit',
  {
    workflowDefinitionId: DefinitionId,
    path: DefinitionPath,
    yamlHash: Checksum,
    /** Counts the contents that this path has had, from 1. */
    version: integer(1),
    /** Its `name`, else the path. */
    workflowName: text('WorkflowName', { maxLength: 300 }),
  },
  {
    /** Of a manual dispatch: with the types and defaults that the definition declares. */
    inputs: TypedInputs,
    /** Of its jobs among those of the organization; left out: 0. */
    priority: Priority,
    /** Counts the runs of this path, from 1. Left out: it was recorded before they were counted. */
    runNumber: integer(1),
  },
);
export type DefinitionAtCommit = t.TypeOf<typeof DefinitionAtCommit>;

/** A pull request as its report declares it. */
export const PullRequest = record('PullRequest', {
  number: integer(1),
  title: nameText('PullRequestTitle', { maxLength: 500 }),
  draft: t.boolean,
  labels: listOf('PullRequestLabels', nameText('PullRequestLabel', { maxLength: 100 }), 100),
});
export type PullRequest = t.TypeOf<typeof PullRequest>;

export const triggers = aggregate(
  { context: 'workflow', name: 'trigger', id: TriggerEventId },
  {
    TriggerReceived: {
      v: 2,
      from: { 1: (old: object) => ({ ...old, pullRequest: null }) },
      data: {
        eventId: TriggerEventId,
        repoId: RepositoryId,
        eventType: TriggerType,
        /** `refs/heads/main`, `refs/tags/v1`, `refs/pull/7/merge`. */
        ref: text('GitRef', { maxLength: 300 }),
        /** The ref's last part: a branch, a tag, or the source branch of a pull request. */
        branch: text('RefName', { maxLength: 300 }),
        /** Of a pull request: the branch that it is to be merged into. */
        baseBranch: nullable(text('BaseBranch', { maxLength: 300 })),
        /** Of a pull request: `opened`, `synchronize`, `reopened`, `closed`, … */
        activity: nullable(text('PullRequestActivity', { maxLength: 60 })),
        commitSha: CommitSha,
        /** Before the push; null for a new branch. */
        beforeSha: nullable(CommitSha),
        actorId: PrincipalId,
        /** Null: nothing more is known of it, or it is none. */
        pullRequest: nullable(PullRequest),
        /** As they were sent. */
        inputs: DispatchInputs,
        /** The definitions whose triggers match, with those whose triggers cannot be read. */
        definitions: listOf('TriggeredDefinitions', DefinitionAtCommit, limits.definitionFiles),
      },
    },
  },
);
export type TriggerEvent = typeof triggers.Event;

/** One event each. Appended to no stream, so that a repeated delivery is recorded once. */
export const { stream: triggerStream } = triggers;
