/** What the parts of the workflow service get. `main.ts` opens it; each part is a folder beside this file. */

import type { BlobStore } from '../../infra/ports/blob-store';
import type { AccessTokens } from '../../infra/ports/identity/access-tokens';
import type { PartHealth } from '../../infra/ports/runtime/health';
import type { Log } from '../../infra/ports/runtime/log';
import type { Metrics } from '../../infra/ports/runtime/metrics';
import type { ArtifactIndex } from '../../infra/ports/workflow/artifact-index';
import type { Definitions } from '../../infra/ports/workflow/definitions';
import type { GitRepositories } from '../../infra/ports/workflow/git-repositories';
import type { JobClaims } from '../../infra/ports/workflow/job-claims';
import type { LogRetention } from '../../infra/ports/workflow/log-retention';
import type { LogStore } from '../../infra/ports/workflow/log-store';
import { type BoundRoute, describedOnly } from '../../infra/server/http/routing/route';
import type { RevocationWatch } from '../../infra/server/http/streaming/revocation-watch';
import type { SocketRoute } from '../../infra/server/ws/endpoint';
import type { CommandDeps } from '../kernel/command-spec';
import type { Graphs } from './graphs';
import type { RunRegistry } from './runs/run-registry';

export interface WorkflowAdapters extends CommandDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly runs: RunRegistry;
  readonly blobs: BlobStore;
  readonly graphs: Graphs;
  readonly definitions: Definitions;
  /** Undefined where the machine has no `git`: repositories and checkouts are off. */
  readonly git: GitRepositories | undefined;
  readonly claims: JobClaims;
  readonly logs: LogStore;
  readonly logRetention: LogRetention;
  /** Tokens that the gateway does not check. */
  readonly accessTokens: AccessTokens;
  readonly artifacts: ArtifactIndex;
  /** Ends streams when their caller's rights end. */
  readonly rights: RevocationWatch;
  /** Where clients and runners reach the system. */
  readonly publicUrl: string;
  /** Signs job tokens; 32 bytes. */
  readonly jobKey: Uint8Array;
  /** Aborted when the process drains. */
  readonly signal: AbortSignal;
}

/** One part of the service, opened. */
export interface OpenedPart {
  readonly routes: readonly BoundRoute[];
  readonly sockets?: readonly SocketRoute[];
  /** Runs until the signal aborts. */
  readonly background?: readonly Promise<void>[];
  readonly health?: () => Promise<{ readonly [part: string]: PartHealth }>;
  readonly close?: () => Promise<unknown>;
}

export interface WorkflowPart<Adapters = WorkflowAdapters> {
  readonly open: (adapters: Adapters) => OpenedPart;
  /** Its routes, for documents that need no running service. */
  readonly describe: () => readonly BoundRoute[];
}

interface DeclaredPart<Adapters, Deps> {
  readonly open: (adapters: Adapters) => Omit<OpenedPart, 'routes'> & { readonly deps: Deps };
  readonly routes: (deps: Deps) => readonly BoundRoute[];
}

/** Lists each route once: it is opened with its dependencies, and described without. */
export const workflowPart = <Adapters, Deps>({
  open,
  routes,
}: DeclaredPart<Adapters, Deps>): WorkflowPart<Adapters> => ({
  open: (adapters) => {
    const { deps, ...opened } = open(adapters);
    return { ...opened, routes: routes(deps) };
  },
  describe: () => routes(describedOnly),
});
