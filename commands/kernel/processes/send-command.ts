/** Sends a command of a process and records a refusal in the instance's stream. */
import { isLeft } from 'fp-ts/Either';
import { streamName, TenantId } from '../../../domain/kernel/ids';
import type { Send } from '../../../domain/kernel/process';
import type { CommandRefused } from '../../../domain/kernel/process-events';
import type { Timers } from '../../../infra/ports/processes/timers';
import type { WorkQueue } from '../../../infra/ports/processes/work-queue';
import { derivedId } from '../deterministic-ids';
import { handle } from '../handle';
import type { HandleDeps, HandleRequest } from '../handle-request';
import type { BoundProcess, CommandTargets, EventDelivery } from './process-binding';

export interface ReactionDeps extends HandleDeps {
  readonly timers: Timers;
  readonly work: WorkQueue;
  /** Called once per command with its outcome. */
  readonly sent: (outcome: SendOutcome['kind']) => void;
  /** Called after a timer was set. */
  readonly scheduled: () => void;
}

/** Shared by all reactions to one event. */
export interface ReactionOrigin {
  readonly tenant: EventDelivery['tenant'];
  readonly instance: string;
  readonly eventId: string;
  readonly correlationId: string;
  readonly depth: number;
  /** Left out when no job led here. */
  readonly jobDepth?: number;
}

export const originOf = ({
  tenant,
  instance,
  happened,
  correlationId,
  depth,
  jobDepth,
}: EventDelivery): ReactionOrigin => ({
  tenant,
  instance,
  eventId: happened.id,
  correlationId,
  depth: depth + 1,
  ...(jobDepth === 0 ? {} : { jobDepth }),
});

export interface ReactionContext {
  readonly deps: ReactionDeps;
  readonly process: BoundProcess;
}

export const requestFor = ({ actor }: BoundProcess, owner: ReactionOrigin) => ({
  stream: owner.instance,
  tenant: owner.tenant,
  actor,
  correlationId: owner.correlationId,
  causationId: owner.eventId,
  depth: owner.depth,
  ...(owner.jobDepth === undefined ? {} : { jobDepth: owner.jobDepth }),
});

export const recordRefusal = async (
  { deps, process }: ReactionContext,
  owner: ReactionOrigin,
  refused: CommandRefused,
): Promise<SendOutcome> => {
  const handled = await handle(deps, process.instance, {
    ...requestFor(process, owner),
    command: { type: 'RecordRefusal', refused },
    commandId: derivedId('refusal', refused.commandId),
    fingerprint: refused.commandId,
  });
  return isLeft(handled) ? { kind: 'again', detail: handled.left.detail } : { kind: 'done' };
};

const maxDetailLength = 2_000;

export const sendAndRecordRefusal = async (
  context: ReactionContext,
  owner: ReactionOrigin,
  envelope: CommandEnvelope,
): Promise<SendOutcome> => {
  const { deps, process } = context;
  const outcome = await dispatchCommand(deps, process.targets, envelope);
  deps.sent(outcome.kind);
  if (outcome.kind !== 'refused') return outcome;
  const { code } = outcome;
  const detail = outcome.detail.slice(0, maxDetailLength);
  deps.log?.warn({ process: process.name, instance: owner.instance, code }, 'the command of a process is refused');
  const { to, id } = envelope.send;
  const refused = { eventId: owner.eventId, commandId: envelope.commandId, to, id, code, detail };
  return recordRefusal(context, owner, refused);
};

/** A longer chain of commands and events, without a job between them, is taken for a loop. */
export const maxCausationDepth = 16;

/** A longer chain of jobs, without a pause of a minute between them, is taken for a loop. */
export const maxJobDepth = 100;

export const tooDeep = 'causation-too-deep';

export interface CommandEnvelope {
  readonly send: Send;
  /** Derived, so that repeated sends are one command. */
  readonly commandId: string;
  readonly tenant: string;
  readonly actor: string;
  readonly correlationId: string;
  readonly causationId: string;
  readonly depth: number;
  readonly jobDepth?: number;
}

export type SendOutcome =
  | { readonly kind: 'done' }
  /** The decider rejects it; a retry would be rejected again. */
  | { readonly kind: 'refused'; readonly code: string; readonly detail: string }
  /** Temporary failure. */
  | { readonly kind: 'again'; readonly detail: string };

const refused = (code: string, detail: string): SendOutcome => ({ kind: 'refused', code, detail });

const requestOf = (envelope: CommandEnvelope, tenant: TenantId): HandleRequest<never> => {
  const { send, ...rest } = envelope;
  const [context = '', aggregate = ''] = send.to.split('.');
  // The id identifies the command: a job that ran twice may report another result the second time, but counts once.
  const fingerprint = [envelope.commandId, send.to, send.id];
  const stream = streamName({ context, aggregate, tenant, id: send.id });
  // Binding a process (`TargetsOf`) has checked that this target takes it; here targets of all commands stand together.
  return { ...rest, tenant, stream, command: send.command as never, fingerprint };
};

export const dispatchCommand = async (
  deps: HandleDeps,
  targets: CommandTargets,
  envelope: CommandEnvelope,
): Promise<SendOutcome> => {
  const { send, depth, tenant } = envelope;
  if (depth > maxCausationDepth) return refused(tooDeep, `Commands caused ${depth} times over are not sent.`);
  const target = Object.hasOwn(targets, send.to) ? targets[send.to] : undefined;
  if (target === undefined) return refused('target-unknown', `Nothing takes commands for ${send.to}.`);
  if (!TenantId.is(tenant)) return refused('tenant-unknown', 'The tenant of the command is unknown.');
  const handled = await target(deps, requestOf(envelope, tenant));
  if (!isLeft(handled)) return { kind: 'done' };
  const { kind, code, detail } = handled.left;
  // A stream that keeps changing settles; one that is too large stays so.
  const passes = code === 'conflict' || (kind === 'fault' && code !== 'event-refused');
  return passes ? { kind: 'again', detail } : refused(code, detail);
};
