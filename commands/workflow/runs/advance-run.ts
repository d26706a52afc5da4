/** Takes a run as far as it goes without a runner: resolves it, admits its jobs, and keeps the rows of claims like the log. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';
import { admissibleJobs, admissiblePlans } from '../../../domain/workflow/run/admission';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import { run as runDecider } from '../../../domain/workflow/run/decider';
import { isActive, isEnding, type Job, type Run } from '../../../domain/workflow/run/state';
import type { Log } from '../../../infra/ports/runtime/log';
import type { ActiveRuns } from '../../../infra/ports/workflow/active-runs';
import type { Definitions } from '../../../infra/ports/workflow/definitions';
import type { ExpectedClaim, JobClaims, JobLease, QueuedJob } from '../../../infra/ports/workflow/job-claims';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { HandleDeps } from '../../kernel/handle-request';
import { admitJobs, failingCommand } from './admit-jobs';
import { organizationSettings } from './organization-settings';
import { planMatrix, type ResolutionDeps, resolveRun } from './resolution';
import { type GroupDeps, groupCommand, leaveGroups } from './run-groups';
import type { RunRegistry } from './run-registry';
import { dueCommands } from './timeouts';
import type { TrackedRun } from './tracked-run';

export interface AdvanceDeps extends HandleDeps, ResolutionDeps, GroupDeps {
  readonly store: HandleDeps['store'];
  readonly definitions: Definitions;
  readonly claims: JobClaims;
  readonly activeRuns: ActiveRuns;
  readonly runs: Pick<RunRegistry, 'load' | 'timed' | 'appended'>;
  readonly log: Log;
}

type Answer<Value> = Promise<Either<Fault, Value>>;

const coordinatorActor = 'system:workflow-coordinator';

const readRun = async ({ runs }: Pick<AdvanceDeps, 'runs'>, tracked: TrackedRun): Answer<void> => {
  const read = await runs.timed(tracked);
  if (isLeft(read)) return read;
  const { state, revision, times } = read.right;
  Object.assign(tracked, { state, revision, begun: times.begun, times: times.jobs });
  return right(undefined);
};

/** For what no later event may contradict. */
const reread = async (deps: Pick<AdvanceDeps, 'runs'>, tracked: TrackedRun): Answer<void> => {
  const loaded = await deps.runs.load(tracked);
  return isLeft(loaded) ? loaded : readRun(deps, tracked);
};

/** A refusal is not an error: the state has changed since it was read, and the next round sees it. */
const sendCommand = async (deps: AdvanceDeps, tracked: TrackedRun, command: RunCommand): Answer<'sent' | 'refused'> => {
  const about = 'jobId' in command ? String(command.jobId) : 'key' in command ? command.key : '';
  // The same for another coordinator that saw the same state.
  const commandId = derivedId('workflow-coordinator', tracked.runId, tracked.revision, command.type, about);
  const at = Date.parse(deps.clock.now());
  const handled = await handle(deps, runDecider, {
    stream: tracked.stream,
    command,
    commandId,
    fingerprint: commandId,
    tenant: tracked.tenantId,
    actor: coordinatorActor,
    correlationId: tracked.runId,
  });
  if (isLeft(handled) && handled.left.kind === 'fault' && handled.left.code !== 'event-refused')
    return left(handled.left);
  if (isLeft(handled)) {
    const { code } = handled.left;
    deps.log.info({ run: tracked.runId, command: command.type, code }, 'a command of the coordinator is refused');
    // For a state that this copy does not have yet.
    const current = await reread(deps, tracked);
    return isLeft(current) ? current : right('refused');
  }
  deps.runs.appended(tracked, { ...handled.right, at });
  const read = await readRun(deps, tracked);
  if (isLeft(read)) return read;
  const whole = tracked.revision < handled.right.revision ? await reread(deps, tracked) : read;
  return isLeft(whole) ? whole : right('sent');
};

const queuedJobOf = (
  { tenantId, runId }: TrackedRun,
  { request }: Run,
  { job: { node, attempt, epoch }, isolation }: { readonly job: Job; readonly isolation: QueuedJob['isolation'] },
): QueuedJob => ({
  tenantId,
  runId,
  jobId: node.jobId,
  attempt,
  repoId: request.repoId,
  isolation,
  lastEpoch: epoch,
  workflowDefinitionId: request.workflowDefinitionId,
  matrix: node.maxParallel === null ? null : { key: node.key, maxParallel: node.maxParallel },
  labels: node.labels,
  priority: request.priority,
});

/** Rows of ended jobs go. */
const removeEnded = async ({ claims }: AdvanceDeps, tracked: TrackedRun, run: Run): Answer<void> => {
  const { tenantId, runId, removed } = tracked;
  for (const { status, attempt, node } of run.jobs.values()) {
    if (status !== 'ended' || removed.get(node.jobId) === attempt) continue;
    const gone = await claims.remove({ tenantId, runId, jobId: node.jobId, epoch: null });
    if (isLeft(gone)) return gone;
    removed.set(node.jobId, attempt);
  }
  return right(undefined);
};

/** Rows of queued jobs are there. That of a lost attempt goes first, so that its time is counted. */
const enqueueQueued = async (deps: AdvanceDeps, tracked: TrackedRun, run: Run): Answer<void> => {
  const { tenantId, runId, enqueued, failing } = tracked;
  const isNew = ({ status, attempt, node }: Job): boolean =>
    status === 'queued' && enqueued.get(node.jobId) !== attempt && !failing.has(node.jobId);
  const jobs = [...run.jobs.values()].filter(isNew);
  if (jobs.length === 0) return right(undefined);
  const settings = await organizationSettings(deps.store, tenantId);
  if (isLeft(settings)) return settings;
  for (const { epoch, attempt, node } of jobs) {
    if (epoch === 0 || attempt === 1) continue;
    const gone = await deps.claims.remove({ tenantId, runId, jobId: node.jobId, epoch });
    if (isLeft(gone)) return gone;
  }
  const { isolation } = settings.right;
  const added = await deps.claims.enqueue(jobs.map((job) => queuedJobOf(tracked, run, { job, isolation })));
  if (isLeft(added)) return added;
  for (const { attempt, node } of jobs) enqueued.set(node.jobId, attempt);
  return right(undefined);
};

/** A file may be what ends the parser: it is not tried for ever. */
const mostParserFaults = 3;

const resolve = async (deps: AdvanceDeps, tracked: TrackedRun, run: Run): Answer<RunCommand> => {
  const command = await resolveRun(deps, tracked, run);
  if (!isLeft(command) || command.left.code !== 'definition-parser-unavailable') return command;
  tracked.parserFaults += 1;
  if (tracked.parserFaults < mostParserFaults) return command;
  const problems = [{ message: command.left.detail, line: null, column: null }];
  return right({ type: 'RefuseDefinition', runId: tracked.runId, problems });
};

/** The next command for the state; undefined when the run waits for runners or for time. */
const nextCommand = async (deps: AdvanceDeps, tracked: TrackedRun, run: Run): Answer<RunCommand | undefined> => {
  if (run.resolution === 'pending' && !isEnding(run)) return resolve(deps, tracked, run);
  const failing = failingCommand(tracked, run);
  if (failing !== undefined) return right(failing);
  const due = dueCommands(tracked, Date.parse(deps.clock.now()))[0];
  const grouped = await groupCommand(deps, tracked, run);
  if (isLeft(grouped)) return grouped;
  if (grouped.right === 'waits') return right(due);
  if (grouped.right !== undefined) return right(grouped.right);
  const [plan] = admissiblePlans(run);
  if (plan !== undefined) {
    const planned = await planMatrix(deps, tracked, { run, plan });
    if (isLeft(planned)) return planned;
    const { command, failing: reason } = planned.right;
    if (reason !== undefined) tracked.failing.set(reason.jobId, reason.reason);
    return right(command);
  }
  const jobs = admissibleJobs(run);
  const admitted = jobs.length === 0 ? right(undefined) : await admitJobs(deps, tracked, { run, jobs });
  return isLeft(admitted) || admitted.right !== undefined ? admitted : right(due);
};

const refusedGraph = ({ runId }: TrackedRun): RunCommand => ({
  type: 'RefuseDefinition',
  runId,
  problems: [{ message: 'The jobs of the definition are too large to be recorded.', line: null, column: null }],
});

/** Until the run waits. `ended`: it is over, and nothing more is to be done for it. */
export const advanceRun = async (deps: AdvanceDeps, tracked: TrackedRun): Answer<'waiting' | 'ended'> => {
  const read = await readRun(deps, tracked);
  if (isLeft(read)) return read;
  for (;;) {
    const { state: run, revision } = tracked;
    if (run.kind === 'none') return right('ended');
    const removed = await removeEnded(deps, tracked, run);
    if (isLeft(removed)) return removed;
    const left = await leaveGroups(deps, tracked, run);
    if (isLeft(left)) return left;
    if (run.result !== null) {
      const gone = await deps.activeRuns.remove(tracked.runId);
      return isLeft(gone) ? gone : right('ended');
    }
    const added = await enqueueQueued(deps, tracked, run);
    if (isLeft(added)) return added;
    const command = await nextCommand(deps, tracked, run);
    if (isLeft(command)) return command;
    if (command.right === undefined) return right('waiting');
    const sent = await sendCommand(deps, tracked, command.right);
    if (isLeft(sent)) return sent;
    if (tracked.revision > revision) continue;
    if (sent.right === 'sent' || command.right.type !== 'ResolveRun') return right('waiting');
    const refused = await sendCommand(deps, tracked, refusedGraph(tracked));
    if (isLeft(refused)) return refused;
  }
};

const loseJob = async (
  deps: AdvanceDeps,
  tracked: TrackedRun,
  { jobId, epoch }: Pick<JobLease, 'jobId' | 'epoch'>,
): Answer<void> => {
  const reason = 'The runner did not renew its lease.';
  const sent = await sendCommand(deps, tracked, { type: 'LoseJob', runId: tracked.runId, jobId, epoch, reason });
  return isLeft(sent) ? sent : right(undefined);
};

/** A lease that ended: the job is lost where the lease is its last one in the log, else the row is put right. */
export const endLease = async (
  deps: AdvanceDeps,
  tracked: TrackedRun,
  lease: Parameters<JobClaims['release']>[0],
): Answer<void> => {
  const read = await reread(deps, tracked);
  if (isLeft(read)) return read;
  const { jobId, epoch } = lease;
  const job = tracked.state.kind === 'none' ? undefined : tracked.state.jobs.get(jobId);
  // Claimed, but never assigned. Before the job waits again, the log records that this claim is over: its claimant may only be slow.
  if (job?.status === 'queued' && job.attempt === lease.attempt && job.epoch <= epoch) {
    const expired = await sendCommand(deps, tracked, { type: 'ExpireClaim', runId: tracked.runId, jobId, epoch });
    if (isLeft(expired)) return expired;
    return expired.right === 'sent' ? deps.claims.release(lease) : right(undefined);
  }
  if (job === undefined || job.epoch !== epoch || job.status === 'ended') return deps.claims.remove(lease);
  return loseJob(deps, tracked, { jobId, epoch });
};

/** Rows that there are to be as far as the run was read. */
export const expectedClaims = ({ tenantId, runId, state, enqueued }: TrackedRun): readonly ExpectedClaim[] => {
  if (state.kind === 'none' || state.result !== null) return [];
  return [...state.jobs.values()].flatMap((job): readonly ExpectedClaim[] => {
    const { jobId } = job.node;
    if (isActive(job)) return [{ tenantId, runId, jobId, epoch: job.epoch }];
    const waits = job.status === 'queued' && enqueued.get(jobId) === job.attempt;
    return waits ? [{ tenantId, runId, jobId, epoch: null }] : [];
  });
};

/** A row that is gone: a job that waits gets a new one when the run is advanced, one that a runner has is lost. */
export const restoreClaim = async (
  deps: AdvanceDeps,
  tracked: TrackedRun,
  { jobId, epoch }: ExpectedClaim,
): Answer<void> => {
  const read = await reread(deps, tracked);
  if (isLeft(read)) return read;
  const job = tracked.state.kind === 'none' ? undefined : tracked.state.jobs.get(jobId);
  if (job?.status === 'queued' && epoch === null) tracked.enqueued.delete(jobId);
  if (job === undefined || epoch === null || !isActive(job) || job.epoch !== epoch) return right(undefined);
  return loseJob(deps, tracked, { jobId, epoch });
};
