/** Metrics of commands: count, duration and outcome. Labels are declared names, never ids or values that a client sent. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { Metrics } from '../../infra/ports/runtime/metrics';
import type { SpanEnd } from '../../infra/ports/runtime/trace';

export interface CommandName {
  readonly context: string;
  readonly command: string;
}

/** The part of a result that metrics and spans read. */
export type CommandOutcome = Either<
  { readonly kind: 'rejection' | 'fault'; readonly code: string },
  { readonly events: readonly unknown[]; readonly repeated: boolean }
>;

export interface CommandMetrics {
  readonly handled: (name: CommandName, result: CommandOutcome, milliseconds: number) => void;
  /** Another writer appended to the stream first. */
  readonly conflict: (name: CommandName) => void;
  /** The command is decided once more. */
  readonly retried: (name: CommandName, reason: string) => void;
}

/** Of command lines, which serve no metrics. */
export const noCommandMetrics: CommandMetrics = {
  handled: () => undefined,
  conflict: () => undefined,
  retried: () => undefined,
};

/** The type is written in the source, so there are few; what has none has no name. */
export const commandNameOf = (context: string, command: unknown): CommandName => {
  const type = typeof command === 'object' && command !== null && 'type' in command ? command.type : undefined;
  return { context, command: typeof type === 'string' ? type : 'unnamed' };
};

const outcomeOf = (result: CommandOutcome): string => {
  if (isLeft(result)) return result.left.kind === 'fault' ? 'failed' : 'rejected';
  if (result.right.repeated) return 'repeated';
  return result.right.events.length > 0 ? 'recorded' : 'unchanged';
};

/** A rejection is an answer; only a fault is a failure. */
export const spanEndOf = (result: CommandOutcome): SpanEnd => {
  const attributes = { 'septet.outcome': isLeft(result) ? result.left.code : outcomeOf(result) };
  return isLeft(result) && result.left.kind === 'fault' ? { attributes, failed: result.left.code } : { attributes };
};

const labels = ['context', 'command'];

export const createCommandMetrics = (metrics: Metrics): CommandMetrics => {
  const count = metrics.counter({
    name: 'commands_total',
    help: 'Commands by outcome.',
    labels: [...labels, 'outcome'],
  });
  const refused = metrics.counter({
    name: 'command_rejections_total',
    help: 'Commands that were rejected or failed, by code.',
    labels: [...labels, 'code'],
  });
  const seconds = metrics.histogram({ name: 'command_seconds', help: 'Time until a command was answered.', labels });
  const help = 'Appends that met a stream that had changed.';
  const conflicts = metrics.counter({ name: 'command_conflicts_total', help, labels });
  const again = metrics.counter({
    name: 'command_retries_total',
    help: 'Retried decisions, by reason.',
    labels: [...labels, 'reason'],
  });
  return {
    handled: (name, result, milliseconds) => {
      count({ ...name, outcome: outcomeOf(result) });
      if (isLeft(result)) refused({ ...name, code: result.left.code });
      seconds(milliseconds / 1000, { ...name });
    },
    conflict: (name) => conflicts({ ...name }),
    retried: (name, reason) => again({ ...name, reason }),
  };
};
