/** POST /v1/platform/views/:view/rebuild: an operator of the platform has a view built again, in this process. */
import { randomUUID } from 'node:crypto';
import { type Either, isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { record, text } from '../../domain/kernel/codec';
import type { EventStore } from '../../infra/ports/event-store';
import type { Log } from '../../infra/ports/runtime/log';
import type { ViewStatusStore } from '../../infra/ports/views/view-status';
import { commonProblems, type Problem, type ProblemTable, problem, problemOf } from '../../infra/server/http/problem';
import { type BoundRoute, bind, describedOnly, route } from '../../infra/server/http/routing/route';
import type { ContentSource } from '../kernel/content';
import type { Projection } from '../kernel/projection';
import type { RebuildFailure, RebuildResult } from '../kernel/rebuild/rebuild';
import { rebuildRecorded } from '../kernel/rebuild/recorded-rebuild';
import type { Writers } from './view-writers';

export interface RebuildOptions {
  readonly projections: readonly Projection[];
  readonly writers: Pick<Writers, 'of' | 'detailOff'>;
  readonly store: EventStore;
  readonly blobs: ContentSource | undefined;
  readonly ledger: ViewStatusStore | undefined;
  readonly code: string;
  readonly log: Log;
  /** The tenant whose principals operate the platform. */
  readonly operators: string;
}

interface RebuildDeps extends RebuildOptions {
  readonly running: Set<Promise<void>>;
  /** Ends rebuilds that are under way. */
  readonly signal: AbortSignal;
}

const problems = {
  'not-found': commonProblems['not-found'],
  'view-building': { status: 409, title: 'Another rebuild of the view is under way' },
  'view-off': { status: 503, title: 'The store of the view is off' },
} as const satisfies ProblemTable;

const RebuiltView = text('RebuiltView', { maxLength: 128, pattern: '[a-z0-9_]+', examples: ['identity_principals'] });
const Params = record('RebuildParams', { view: RebuiltView });
const Body = record('RebuildRequest', {}, { acceptDifferences: t.boolean });
const Begun = record('BegunRebuild', { view: RebuiltView });

type Rebuilt = Either<RebuildFailure, RebuildResult>;

const report = ({ log }: RebuildDeps, view: string, rebuilt: Rebuilt): void => {
  if (isLeft(rebuilt)) log.warn({ view, fault: rebuilt.left }, 'the requested rebuild did not succeed');
  else log.info({ view, events: rebuilt.right.events }, 'view rebuilt by request');
};

interface Begin {
  readonly projection: Projection;
  readonly by: string;
  readonly acceptDifferences: boolean;
}

/** Undefined once it is under way; its outcome is recorded. */
const begin = (deps: RebuildDeps, { projection, by, acceptDifferences }: Begin): Promise<Problem | undefined> => {
  const { view } = projection;
  const { store, blobs, signal, code, ledger, writers, running, log } = deps;
  const writer = writers.of(view);
  if (writer === undefined)
    return Promise.resolve(problemOf({ kind: 'fault', code: 'view-off', detail: writers.detailOff(view) }, problems));
  return new Promise((resolve, reject) => {
    const progress = (_fields: object, message: string): void => {
      if (message === 'begun') resolve(undefined);
    };
    const request = { store, writer, blobs, signal, projection, acceptDifferences, code, progress };
    const rebuilding = rebuildRecorded(request, { ledger, by, id: randomUUID() }).then(
      (rebuilt) => {
        report(deps, view.name, rebuilt);
        // Too late where it had begun.
        resolve(isLeft(rebuilt) ? problemOf(rebuilt.left, problems) : undefined);
      },
      (error: unknown) => {
        log.error({ view: view.name, error }, 'defect in a requested rebuild');
        reject(error);
      },
    );
    running.add(rebuilding);
    void rebuilding.finally(() => running.delete(rebuilding));
  });
};

const rebuildView = route<RebuildDeps>()({
  method: 'post',
  path: '/v1/platform/views/:view/rebuild',
  operation: 'rebuildView',
  sensitive: true,
  summary: 'Rebuild a view from the log, beside the live one',
  description:
    'For operators of the platform. The live view serves until the new rows were compared with it. Where they differ, the view is switched only with `acceptDifferences`. Progress and outcome are in `GET /v1/platform/views`.',
  access: { scopes: ['platform:write'] },
  params: Params,
  body: Body,
  answers: { 202: { description: 'Under way.', body: Begun } },
  problems,
  handle: async (deps, { identity, params: { view }, body: { acceptDifferences = false } }) => {
    const { tenantId, principalId } = identity;
    if (tenantId !== deps.operators) return problem('forbidden', 'Only operators of the platform rebuild views.');
    const projection = deps.projections.find((one) => one.view.name === view);
    if (projection === undefined) return problem('not-found', 'There is no such view.');
    const refused = await begin(deps, { projection, by: `operator:${principalId}`, acceptDifferences });
    if (refused !== undefined) return refused;
    deps.log.info({ view, tenantId, principalId }, 'an operator had a view rebuilt');
    return { status: 202, body: { view } };
  },
});

export interface RebuildRoutes {
  readonly routes: readonly BoundRoute[];
  /** Ends rebuilds that are under way; what they wrote waits for the next one. */
  readonly close: () => Promise<void>;
}

export const openRebuildRoutes = (options: RebuildOptions): RebuildRoutes => {
  const ending = new AbortController();
  const running = new Set<Promise<void>>();
  return {
    routes: [bind({ ...options, running, signal: ending.signal }, rebuildView)],
    close: async () => {
      ending.abort();
      await Promise.all(running);
    },
  };
};

export const rebuildRoutes = (): readonly BoundRoute[] => [bind(describedOnly, rebuildView)];
