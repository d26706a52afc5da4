/** Another organization reaches nothing of this one, by any route of workflows. A route without a case here fails. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { isRight, right } from 'fp-ts/Either';
import type { WorkflowAdapters } from '../../../commands/workflow/adapters';
import { artifactPart } from '../../../commands/workflow/artifacts/open-artifacts';
import { issueJobToken } from '../../../commands/workflow/job-token';
import { logPart } from '../../../commands/workflow/logs/open-logs';
import { repositoryRoutes } from '../../../commands/workflow/repositories/open-repositories';
import { repositoryIdOf } from '../../../commands/workflow/repositories/repository-id';
import { runnerPart } from '../../../commands/workflow/runners/open-runners';
import { runRoutes } from '../../../commands/workflow/runs/routes';
import type { TenantId } from '../../../domain/kernel/ids';
import type { JobId, RunId } from '../../../domain/workflow/ids';
import { repositoryStream } from '../../../domain/workflow/repository/events';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import { runStream } from '../../../domain/workflow/run/events';
import type { StoredEvent } from '../../../infra/ports/event-store';
import {
  type BoundRoute,
  describedOnly,
  type Identity,
  type JsonAnswer,
} from '../../../infra/server/http/routing/route';
import { context as projections } from '../../../projections/workflow/context';
import { cursorsSignedWith } from '../../../read-api/kernel/pagination';
import { createViewPositions } from '../../../read-api/kernel/read-your-writes';
import { recordRoutes, viewRoutes } from '../../../read-api/workflow/routes';
import { rowsAfter } from '../../identity/projections/rows';
import { createSettableViews } from '../../kernel/read-api/view-readers';
import { allRoutes } from '../../support/http/served-routes';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { admin, type ControlService, chunkOf, startControlService } from '../../support/workflow/control-service';
import { request } from '../../support/workflow/runs';

const acme = 'acme' as TenantId;
const other = 'other' as TenantId;
const stranger: Identity = { ...admin, tenantId: other, principalId: 'p-2', tokenId: 'jti-2' };

interface Assigned {
  readonly runId: RunId;
  readonly jobId: JobId;
  readonly epoch: number;
  readonly jobToken: string;
}

describe('another organization', function () {
  this.timeout(60_000);
  const log = logOnNode('workflow-isolation');
  let service: ControlService;
  /** Calls of Git's adapter: none may be made for a stranger. */
  const touched: string[] = [];
  const socketPaths: string[] = [];
  const git = new Proxy(
    {},
    {
      get: (_, name) => async () => {
        // Our own jobs get their commits.
        if (name !== 'commits') touched.push(String(name));
        return right([]);
      },
    },
  );
  const accessTokens = {
    verify: async () => right({ tenantId: other, principalId: 'p-2', scopes: stranger.scopes }),
  };
  const repoId = repositoryIdOf(acme, 'storefront');
  /** Of the repository; the others are of another one. */
  const ofRepository = 'run-of-storefront' as RunId;
  let [mine, waiting] = [] as unknown as [Assigned, { runId: RunId; jobId: JobId }];
  let [runnerId, artifactId, credential, theirCredential] = ['', '', '', ''];

  before(async () => {
    service = await startControlService({
      store: log.store,
      open: (adapters) => {
        const whole = Object.assign(adapters, { git, accessTokens }) as unknown as WorkflowAdapters;
        const repositories = {
          routes: [...repositoryRoutes(whole), ...runRoutes(whole)],
        };
        const parts = [logPart.open(whole), runnerPart.open(whole), artifactPart.open(whole), repositories];
        socketPaths.push(
          ...parts.flatMap((part) => ('sockets' in part ? (part.sockets ?? []) : [])).map(({ path }) => path),
        );
        return parts;
      },
    });
    const created = await service.call('/v1/workflow/repositories', json('POST', { name: 'storefront' }, admin));
    assert.equal(created.status, 201, await created.text());
    touched.length = 0;
    ({ runnerId, credential } = await service.register());
    await service.queueRun();
    const polled = await service.json('/runner/poll', credential, { slots: 1 });
    const { messages } = (await polled.json()) as { readonly messages: readonly { readonly assignment: Assigned }[] };
    mine = (messages[0] as { readonly assignment: Assigned }).assignment;
    await service.json(`/runner/jobs/${mine.jobId}/logs`, credential, { epoch: mine.epoch, chunks: [chunkOf(0, 'a')] });
    const announced = await service.json(`/runner/jobs/${mine.jobId}/artifacts`, mine.jobToken, artifact('coverage'));
    const upload = (await announced.json()) as {
      readonly artifactId: string;
      readonly requests: readonly { readonly url: string; readonly headers: Record<string, string> }[];
    };
    ({ artifactId } = upload);
    const [put] = upload.requests;
    assert.ok((await fetch(put?.url ?? '', { method: 'PUT', headers: put?.headers ?? {}, body: 'bytes' })).ok);
    const committed = `/runner/jobs/${mine.jobId}/artifacts/${artifactId}/commit`;
    assert.equal((await service.json(committed, mine.jobToken, { epoch: mine.epoch })).status, 204);
    waiting = await service.queueRun();
    await service.command({ ...request, runId: ofRepository, repoId } as RunCommand);
    const token = await service.call('/v1/workflow/runner-tokens', { method: 'POST', identity: stranger });
    const registration = { name: 'theirs', labels: ['linux'], isolation: 'none', protocol: 'septet.runner.v1' };
    const body = { ...registration, token: ((await token.json()) as { readonly token: string }).token };
    const registered = await service.json('/runner/register', 'none', body);
    theirCredential = ((await registered.json()) as { readonly credential: string }).credential;
  });
  after(() => service.close());

  const json = (method: string, body: object, identity: Identity = stranger) => ({
    method,
    identity,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const artifact = (name: string) => ({
    epoch: mine.epoch,
    name,
    sizeBytes: 5,
    retentionDays: 1,
    checksum: `sha256:${hash('sha256', 'bytes', 'hex')}`,
  });
  const signed = (target: string, request: object = {}) => service.call(target, { identity: stranger, ...request });
  const statusOf = async (answer: Promise<Response>): Promise<number> => (await answer).status;
  const completion = { result: 'success', reason: null, outputs: {}, steps: [], annotations: [], summary: null };
  const step = {
    stepId: 'a',
    number: 1,
    name: 'A',
    status: 'success',
    exitCode: 0,
    startedAt: null,
    completedAt: null,
  };
  /** As a runner of the stranger, of the job that a runner of this organization has. */
  const asRunner = (name: string, body: object) => () =>
    statusOf(service.json(`/runner/jobs/${mine.jobId}/${name}`, theirCredential, { epoch: mine.epoch, ...body }));
  /** A job of the stranger has a token, signed by this service. */
  const theirJob = () =>
    issueJobToken(
      service.adapters,
      { tenantId: other, repoId, runId: mine.runId, jobId: mine.jobId, attempt: 1, epoch: mine.epoch },
      { issuedAt: Date.now() / 1_000 - 1, expiresAt: Date.now() / 1_000 + 600 },
    );
  const withJobToken = async (path: string, method: string, body?: object) =>
    statusOf(service.json(`/runner/jobs/${mine.jobId}/artifacts${path}`, await theirJob(), body, method));
  const git404 = (path: string, request: object) => () =>
    statusOf(
      service.call(`/git/acme/storefront.git/${path}`, { identity: 'anonymous', ...request } as Parameters<
        typeof service.call
      >[1]),
    );
  const basic = { Authorization: `Basic ${Buffer.from('x:token').toString('base64')}` };
  const pack = (name: string) =>
    git404(name, {
      method: 'POST',
      body: '0000',
      headers: { ...basic, 'Content-Type': `application/x-${name}-request` },
    });
  const heartbeat = () => ({
    runner_id: runnerId,
    job_id: mine.jobId,
    lease_epoch: mine.epoch,
    timestamp: new Date().toISOString(),
    current_step: null,
    log_offset: null,
  });

  /** What a stranger is answered who names what is ours. */
  const commandCases: { readonly [route: string]: readonly [number, () => Promise<number>] } = {
    'put /v1/workflow/repositories/:repoId': [
      404,
      () => statusOf(signed(`/v1/workflow/repositories/${repoId}`, json('PUT', { default_branch: 'trunk' }))),
    ],
    'delete /v1/workflow/repositories/:repoId': [
      404,
      () => statusOf(signed(`/v1/workflow/repositories/${repoId}`, { method: 'DELETE' })),
    ],
    'post /repos/:repoId/events': [
      404,
      () => {
        const event = { eventType: 'push', branch: 'main', commitSha: 'a'.repeat(40), actorId: 'person-1' };
        return statusOf(signed(`/repos/${repoId}/events`, json('POST', event)));
      },
    ],
    'get /repos/:repoId/workflows': [404, () => statusOf(signed(`/repos/${repoId}/workflows?branch=main`))],
    'get /git/:tenantId/:repository/info/refs': [404, git404('info/refs?service=git-upload-pack', { headers: basic })],
    'post /git/:tenantId/:repository/git-upload-pack': [404, pack('git-upload-pack')],
    'post /git/:tenantId/:repository/git-receive-pack': [404, pack('git-receive-pack')],
    'post /actions/runs/:runId/cancel': [
      404,
      () => statusOf(signed(`/actions/runs/${mine.runId}/cancel`, json('POST', {}))),
    ],
    'post /runs/:runId/cancel': [404, () => statusOf(signed(`/runs/${mine.runId}/cancel`, json('POST', {})))],
    'post /actions/runs/:runId/retry': [
      404,
      () => statusOf(signed(`/actions/runs/${mine.runId}/retry`, json('POST', { mode: 'all' }))),
    ],
    'get /actions/runs/:runId/waiting': [404, () => statusOf(signed(`/actions/runs/${waiting.runId}/waiting`))],
    'get /actions/jobs/:jobId/logs': [404, () => statusOf(signed(`/actions/jobs/${mine.jobId}/logs`))],
    'get /actions/jobs/:jobId/logs/events': [404, () => statusOf(signed(`/actions/jobs/${mine.jobId}/logs/events`))],
    'post /v1/workflow/runners/:runnerId/drain': [
      404,
      () => statusOf(signed(`/v1/workflow/runners/${runnerId}/drain`, { method: 'POST' })),
    ],
    'delete /v1/workflow/runners/:runnerId': [
      404,
      () => statusOf(signed(`/v1/workflow/runners/${runnerId}`, { method: 'DELETE' })),
    ],
    'post /runner/heartbeat': [409, () => statusOf(service.json('/runner/heartbeat', theirCredential, heartbeat()))],
    'post /runner/jobs/:jobId/start': [409, asRunner('start', {})],
    'post /runner/jobs/:jobId/steps': [409, asRunner('steps', { step })],
    'post /runner/jobs/:jobId/logs': [409, asRunner('logs', { chunks: [chunkOf(1, 'b', { byteStart: 1 })] })],
    'post /runner/jobs/:jobId/complete': [409, asRunner('complete', { ...completion, logChunks: 1 })],
    'post /runner/jobs/:jobId/artifacts': [409, () => withJobToken('', 'POST', artifact('theirs'))],
    'get /runner/jobs/:jobId/artifacts': [409, () => withJobToken('', 'GET')],
    'post /runner/jobs/:jobId/artifacts/:artifactId/commit': [
      409,
      () => withJobToken(`/${artifactId}/commit`, 'POST', { epoch: mine.epoch }),
    ],
    'delete /actions/artifacts/:artifactId': [
      404,
      () => statusOf(signed(`/actions/artifacts/${artifactId}`, { method: 'DELETE' })),
    ],
    'get /actions/artifacts/:artifactId/download': [
      404,
      () => statusOf(signed(`/actions/artifacts/${artifactId}/download`, { redirect: 'manual' })),
    ],
  };
  /** They name nothing: what they do is of the caller's own organization. `/runner/poll` has a test of its own. */
  const ofTheCaller = [
    'put /v1/workflow/organization',
    'post /v1/workflow/repositories',
    'post /v1/workflow/runner-tokens',
    'post /runner/register',
    'post /runner/poll',
  ];
  const keyOf = ({ method, path }: Pick<BoundRoute, 'method' | 'path'>): string => `${method} ${path}`;

  it('has a case for every route of the service, and of the query API beside its views', () => {
    const served = [...(allRoutes().workflow ?? []), ...recordRoutes(describedOnly)].map(keyOf);
    assert.deepEqual(served.toSorted(), [...Object.keys(commandCases), ...ofTheCaller].toSorted());
    assert.deepEqual(socketPaths, ['/actions/jobs/:jobId/logs/stream', '/runner/socket']);
  });

  for (const [name, [status, send]] of Object.entries(commandCases))
    it(`is answered ${status} by ${name}`, async () => assert.equal(await send(), status));

  it('follows no log over a WebSocket', async () => {
    const client = await service.logSocket(mine.jobId, '', stranger);
    assert.deepEqual(await client.closed, { code: 4404, reason: 'log-unknown' });
  });

  it('has no runner that gets a job of ours, though it waits for one', async () => {
    const gone = new AbortController();
    const theirs = service.json('/runner/poll', theirCredential, { slots: 1 }, 'POST', gone.signal);
    const taken = await service.json('/runner/poll', credential, { slots: 1 });
    const { messages } = (await taken.json()) as { readonly messages: readonly { readonly assignment: Assigned }[] };
    assert.equal(messages[0]?.assignment.jobId, waiting.jobId);
    gone.abort();
    await assert.rejects(theirs);
  });

  it('sees no row of ours by any query', async () => {
    const events: StoredEvent[] = [];
    for await (const event of log.store.readAll({ after: null, filter: { streams: ['workflow.'] } }))
      events.push(event);
    const views = createSettableViews();
    for (const projection of projections)
      await views.write(projection.view as never, 700n, (await rowsAfter(projection, [events])) as never);
    const activity = { jobs: async () => right([]), runners: async () => right([]) };
    const rows = { views, cursors: cursorsSignedWith('k'.repeat(43)), positions: createViewPositions(views) };
    const reading = { ...rows, activity };
    const answerFor = async (route: BoundRoute, identity: Identity): Promise<string> => {
      const params = { repoId, runId: mine.runId };
      const routeRequest = { params, query: {}, body: undefined, headers: {}, requestId: 'r', identity };
      const answer = await route.handle({ ...routeRequest, target: '/', signal: new AbortController().signal });
      if ('problem' in answer) return String(answer.problem.status);
      const { status, body } = answer as JsonAnswer;
      return status === 200 ? JSON.stringify(body) : String(status);
    };
    const ours = [repoId, ofRepository, mine.runId, mine.jobId, artifactId, runnerId, waiting.runId];
    let seen = 0;
    for (const route of viewRoutes(reading)) {
      const [own, theirs] = [await answerFor(route, admin), await answerFor(route, stranger)];
      if (ours.some((id) => own.includes(id))) seen += 1;
      if (route.path.includes(':')) assert.equal(theirs, '404', route.path);
      for (const id of ours) assert.ok(!theirs.includes(id), route.path);
    }
    // The rows are there: their owner sees them by every query but that of the organization.
    assert.equal(seen, viewRoutes(reading).length - 1);
  });

  it('has changed nothing, and reached no repository on disk', async () => {
    assert.deepEqual(touched, []);
    const types = async (stream: string): Promise<readonly string[]> => {
      const read = await log.store.read(stream);
      assert.ok(isRight(read));
      return read.right.map(({ type }) => type.split('.')[1] ?? '');
    };
    assert.deepEqual(await types(repositoryStream(acme, repoId)), ['RepositoryCreated']);
    assert.deepEqual(await types(runStream(acme, mine.runId)), [
      ...['RunRequested', 'RunResolved', 'JobsQueued', 'JobAssigned'],
    ]);
    for (const stream of [repositoryStream(other, repoId), runStream(other, mine.runId)])
      assert.deepEqual(await types(stream), []);
  });
});
