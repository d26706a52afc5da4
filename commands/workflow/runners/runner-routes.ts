/** Routes of runners: tokens to register with, registration, heartbeats and polls, drain and removal. */
import { isLeft, right } from 'fp-ts/Either';
import { platformTenant } from '../../../domain/identity/ids';
import { fieldsOf, Instant, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { RunnerId } from '../../../domain/workflow/ids';
import { limits } from '../../../domain/workflow/limits';
import {
  Heartbeat,
  HeartbeatAnswer,
  PolledMessages,
  PollMessages,
  RegisteredRunner,
  RegisterRunner,
  runnerProtocol,
  type ToRunner,
} from '../../../domain/workflow/protocol/runner';
import { runner as runnerDecider } from '../../../domain/workflow/runner/decider';
import { runnerStream } from '../../../domain/workflow/runner/events';
import { commonProblems, problem, problemOf } from '../../../infra/server/http/problem';
import { type BoundRoute, bind, route } from '../../../infra/server/http/routing/route';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { WorkflowAdapters } from '../adapters';
import { authenticateRunner, credentialDigest, credentialOf } from './authenticate-runner';
import type { Dispatcher } from './dispatcher';
import { staleEpoch } from './job-lease';
import { leaseProblems, runnerProblems } from './problems';
import { issueRegistrationToken, registrationSeconds, verifyRegistrationToken } from './registration-token';

interface RunnerRoutesDeps extends WorkflowAdapters {
  readonly dispatcher: Dispatcher;
}

const scopes = ['workflows:admin'];
const RunnerPath = record('RunnerPath', { runnerId: RunnerId });
const RunnerAnswer = record('RunnerAnswer', { runnerId: RunnerId });
const authorization = {
  name: 'Authorization',
  description: 'Bearer, with the credential of the runner.',
  required: true,
};

const createToken = route<RunnerRoutesDeps>()({
  method: 'post',
  path: '/v1/workflow/runner-tokens',
  operation: 'createRunnerToken',
  summary: 'Create a token to register a runner with',
  description:
    'It registers one runner, within an hour. Runners of the platform’s own organization take jobs of all organizations.',
  access: { scopes },
  danger: true,
  answers: {
    201: {
      description: 'Only this response has the token.',
      body: record('RunnerToken', {
        token: fieldsOf(RegisterRunner).token,
        runnerId: RunnerId,
        expiresAt: Instant,
      }),
    },
  },
  handle: async ({ clock, random, jobKey }, { identity: { tenantId } }) => {
    if (!TenantId.is(tenantId)) return problem('forbidden', 'The tenant of the token is unknown.');
    const runnerId = random.uuid() as RunnerId;
    const expiresAt = Math.floor(Date.parse(clock.now()) / 1_000) + registrationSeconds;
    const token = issueRegistrationToken(jobKey, { tenantId, runnerId, expiresAt });
    return { status: 201, body: { token, runnerId, expiresAt: new Date(expiresAt * 1_000).toISOString() } };
  },
});

const registerRunner = route<RunnerRoutesDeps>()({
  method: 'post',
  path: '/runner/register',
  operation: 'registerRunner',
  summary: 'Register a runner',
  description: 'The registration token works once. Only this response has the credential.',
  access: 'public',
  sensitive: false,
  body: RegisterRunner,
  answers: { 201: { description: 'The runner is registered.', body: RegisteredRunner } },
  problems: {
    ...runnerProblems,
    unauthenticated: commonProblems.unauthenticated,
    'event-store-unavailable': commonProblems['event-store-unavailable'],
    'event-store-ambiguous': commonProblems['event-store-ambiguous'],
  },
  handle: async (adapters, { body: { token, protocol, name, labels, isolation }, requestId }) => {
    const now = Date.parse(adapters.clock.now()) / 1_000;
    const registration = verifyRegistrationToken(adapters.jobKey, token, now);
    if (registration === undefined)
      return {
        ...problem('unauthenticated', 'The registration token is not valid, or has expired.'),
        headers: { 'WWW-Authenticate': 'Bearer' },
      };
    if (protocol !== runnerProtocol) {
      const detail = `This service speaks ${runnerProtocol}.`;
      return problemOf({ kind: 'rejection', code: 'protocol-unknown', detail }, runnerProblems);
    }
    const { tenantId, runnerId } = registration;
    const credential = credentialOf(tenantId, runnerId, adapters.random.token(32));
    const type = tenantId === platformTenant ? ('managed' as const) : ('self_hosted' as const);
    const handled = await handle(adapters, runnerDecider, {
      stream: runnerStream(tenantId, runnerId),
      command: {
        type: 'RegisterRunner',
        registration: { runnerId, name, type, labels, isolation, credentialDigest: credentialDigest(credential) },
      },
      // Of this request alone: a repetition would have another credential.
      commandId: derivedId('workflow-register', tenantId, runnerId, adapters.random.uuid()),
      tenant: tenantId,
      actor: `runner:${runnerId}`,
      correlationId: requestId,
    });
    if (isLeft(handled)) return problemOf(handled.left, runnerProblems);
    return { status: 201, body: { runnerId, credential } };
  },
});

const runnerCommand = (
  method: 'post' | 'delete',
  path: string,
  { operation, summary, type }: { operation: string; summary: string; type: 'DrainRunner' | 'RemoveRunner' },
) =>
  commandRoute<CommandDeps>()({
    method,
    path,
    operation,
    summary,
    scopes,
    sensitive: true,
    params: RunnerPath,
    answer: RunnerAnswer,
    decider: runnerDecider,
    problems: runnerProblems,
    prepare: ({ params: { runnerId }, tenantId }) =>
      right({ stream: runnerStream(tenantId, runnerId), command: { type, runnerId }, answer: { runnerId } }),
  });

const drainRunner = runnerCommand('post', '/v1/workflow/runners/:runnerId/drain', {
  operation: 'drainRunner',
  summary: 'Drain a runner: it gets no further jobs',
  type: 'DrainRunner',
});
const removeRunner = runnerCommand('delete', '/v1/workflow/runners/:runnerId', {
  operation: 'removeRunner',
  summary: 'Remove a runner',
  type: 'RemoveRunner',
});

const runnerCall = {
  method: 'post',
  access: 'public',
  sensitive: false,
  headers: [authorization],
  problems: {
    ...leaseProblems,
    unauthenticated: commonProblems.unauthenticated,
    'event-store-unavailable': commonProblems['event-store-unavailable'],
  },
} as const;

const heartbeat = route<RunnerRoutesDeps>()({
  ...runnerCall,
  path: '/runner/heartbeat',
  operation: 'sendHeartbeat',
  summary: 'Renew the lease of a job, and learn whether it is canceled',
  body: Heartbeat,
  answers: { 200: { description: 'The lease is renewed.', body: HeartbeatAnswer } },
  handle: async (adapters, { body, headers }) => {
    const runner = await authenticateRunner(adapters, headers.authorization);
    if (isLeft(runner)) return runner.left;
    const { job_id: jobId, lease_epoch: epoch } = body;
    if (jobId === null || epoch === null) {
      adapters.dispatcher.recordSeen(runner.right);
      return { status: 200, body: { leaseSeconds: limits.leaseSeconds, cancel: null } };
    }
    const answer = await adapters.dispatcher.heartbeat(runner.right, { jobId, epoch });
    if (answer === 'unavailable') return problem('service-unavailable', 'The lease cannot be renewed now; try again.');
    return answer.leaseSeconds === 0 ? staleEpoch : { status: 200, body: answer };
  },
});

const pollMilliseconds = 25_000;

const poll = route<RunnerRoutesDeps>()({
  ...runnerCall,
  path: '/runner/poll',
  operation: 'pollJobs',
  summary: 'Wait for jobs without a WebSocket',
  body: PollMessages,
  answers: { 200: { description: 'The answer comes within 25 seconds.', body: PolledMessages } },
  handle: async ({ dispatcher, ...adapters }, { body: { slots }, headers, signal }) => {
    const runner = await authenticateRunner(adapters, headers.authorization);
    if (isLeft(runner)) return runner.left;
    const messages: ToRunner[] = [];
    await new Promise<void>((resolve) => {
      const timer = setTimeout(finish, pollMilliseconds);
      const connected = dispatcher.connect({
        runner: runner.right,
        send: (message) => {
          messages.push(message);
          // What comes in the same moment goes with it.
          setImmediate(finish);
        },
        end: () => finish(),
      });
      function finish(): void {
        clearTimeout(timer);
        connected.close();
        resolve();
      }
      signal.addEventListener('abort', finish, { once: true });
      connected.setSlots(slots);
    });
    return { status: 200, body: { messages } };
  },
});

export const runnerRoutes = (deps: RunnerRoutesDeps): readonly BoundRoute[] => [
  bind(deps, createToken),
  bind(deps, registerRunner),
  bind(deps, drainRunner),
  bind(deps, removeRunner),
  bind(deps, heartbeat),
  bind(deps, poll),
];
