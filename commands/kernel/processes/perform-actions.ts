/** Performs the actions of a reaction: sends, timers and jobs. Ids derive from the event, so a repetition changes nothing. */
import { isLeft } from 'fp-ts/Either';
import type { RecordedAction } from '../../../domain/kernel/process-events';
import { jobKeyOf } from '../../../infra/server/ids/derived-id';
import { currentTraceparent } from '../command-tracing';
import { derivedId } from '../deterministic-ids';
import type { BoundProcess, EventDelivery } from './process-binding';
import type { CommandEnvelope, SendOutcome } from './send-command';
import {
  maxJobDepth,
  type ReactionContext,
  type ReactionOrigin,
  recordRefusal,
  sendAndRecordRefusal,
  tooDeep,
} from './send-command';

/** A timer or job at least this far ahead begins a new chain, also of jobs: a loop through such pauses cannot run away. */
const looseMilliseconds = 60_000;

type EnqueuedJob = Extract<RecordedAction, { kind: 'work' }>;

/** One action of a reaction. */
export interface ActionContext {
  readonly arrival: EventDelivery;
  readonly owner: ReactionOrigin;
  readonly ordinal: number;
}

const envelopeOf = (
  { actor, name }: BoundProcess,
  { owner, ordinal }: ActionContext,
  { part, send }: { readonly part: 'command' | 'timer'; readonly send: CommandEnvelope['send'] },
) => {
  const { tenant, correlationId, depth, jobDepth, eventId } = owner;
  const commandId = derivedId(part, name, eventId, ordinal);
  const cause = { correlationId, causationId: eventId, depth, ...(jobDepth === undefined ? {} : { jobDepth }) };
  return { send, commandId, tenant, actor, ...cause };
};

const scheduleTimer = async (
  { deps, process }: ReactionContext,
  actionContext: ActionContext,
  { key, at, send }: Extract<RecordedAction, { kind: 'schedule' }>,
): Promise<SendOutcome> => {
  const { arrival, owner, ordinal } = actionContext;
  const isLoose = Date.parse(at) - Date.parse(arrival.happened.at) >= looseMilliseconds;
  const { jobDepth: _, ...ownerWithoutJobs } = owner;
  const origin = isLoose ? { ...ownerWithoutJobs, depth: 1 } : owner;
  const envelope = envelopeOf(process, { ...actionContext, owner: origin }, { part: 'timer', send });
  const timer = { process: process.name, instance: owner.instance, key, position: arrival.position, ordinal };
  const body = { envelope, owner: origin, ...currentTraceparent(deps) };
  const set = await deps.timers.schedule({ ...timer, id: envelope.commandId, at, body });
  if (isLeft(set)) return { kind: 'again', detail: set.left.detail };
  deps.scheduled();
  return { kind: 'done' };
};

const pauseOf = (
  { happened }: EventDelivery,
  { delaySeconds = 0, notBefore }: Pick<EnqueuedJob, 'delaySeconds' | 'notBefore'>,
): number => {
  const until = notBefore === undefined ? 0 : Date.parse(notBefore) - Date.parse(happened.at);
  return Math.max(delaySeconds * 1_000, until);
};

/**
 * A job begins a new chain of commands: what it takes bounds how fast a loop through jobs can go, and their number how long. What is tried again
 * after a pause, for as long as a model or program is away, is no loop.
 */
const enqueueJob = async (
  reaction: ReactionContext,
  { arrival, owner, ordinal }: ActionContext,
  { kind: _, jobKind, ...job }: EnqueuedJob,
): Promise<SendOutcome> => {
  const { deps, process } = reaction;
  const { tenant, correlationId, eventId } = owner;
  const key = jobKeyOf(process.name, eventId, ordinal);
  const isLoose = pauseOf(arrival, job) >= looseMilliseconds;
  const jobDepth = isLoose ? 1 : (owner.jobDepth ?? 0) + 1;
  if (jobDepth > maxJobDepth) {
    const detail = `Jobs caused ${jobDepth} times over are not queued.`;
    deps.log?.warn({ process: process.name, instance: owner.instance, queue: job.queue }, 'a chain of jobs ends');
    return recordRefusal(reaction, owner, {
      eventId,
      commandId: key,
      to: 'work',
      id: job.queue,
      code: tooDeep,
      detail,
    });
  }
  const cause = { correlationId, causationId: eventId, depth: 1, jobDepth, ...currentTraceparent(deps) };
  const queued = await deps.work.enqueue({
    ...job,
    ...(jobKind === undefined ? {} : { kind: jobKind }),
    key,
    tenant,
    cause,
  });
  return isLeft(queued) ? { kind: 'again', detail: queued.left.detail } : { kind: 'done' };
};

export const performAction = async (
  reaction: ReactionContext,
  actionContext: ActionContext,
  action: RecordedAction,
): Promise<SendOutcome> => {
  const { deps, process } = reaction;
  const { arrival, owner, ordinal } = actionContext;
  switch (action.kind) {
    case 'send':
      return sendAndRecordRefusal(
        reaction,
        owner,
        envelopeOf(process, actionContext, { part: 'command', send: action }),
      );
    case 'schedule':
      return scheduleTimer(reaction, actionContext, action);
    case 'work':
      return enqueueJob(reaction, actionContext, action);
    case 'cancel': {
      const { name } = process;
      const timer = { process: name, instance: owner.instance, key: action.key, position: arrival.position, ordinal };
      const cancelled = await deps.timers.cancel(timer);
      return isLeft(cancelled) ? { kind: 'again', detail: cancelled.left.detail } : { kind: 'done' };
    }
  }
};
