/** Metrics and span of a command. */
import type { EventStoreFault, WrongRevision } from '../../infra/ports/event-store';
import { type CommandName, type CommandOutcome, commandNameOf, spanEndOf } from './command-metrics';
import type { HandleDeps } from './handle-request';

export const traceCommand = async <Answer extends CommandOutcome>(
  { commandMetrics, trace }: HandleDeps,
  name: CommandName,
  run: () => Promise<Answer>,
): Promise<Answer> => {
  const began = performance.now();
  const spec = { name: `handle ${name.context}.${name.command}` };
  const result = await (trace === undefined ? run() : trace.traceCall(spec, run, spanEndOf));
  commandMetrics.handled(name, result, performance.now() - began);
  return result;
};

/** `traceparent` for the metadata of the events. */
export const currentTraceparent = ({ trace }: HandleDeps): { readonly traceparent?: string } => {
  const traceparent = trace?.current()?.traceparent;
  return traceparent === undefined ? {} : { traceparent };
};

interface RetriedCommand {
  readonly deps: HandleDeps;
  readonly decider: { readonly family: { readonly context: string } };
  readonly request: { readonly command: unknown };
}

/** Counts an append that failed and is retried. */
export const recordRetry = (
  { deps, decider, request }: RetriedCommand,
  failure: EventStoreFault | WrongRevision,
): void => {
  const name = commandNameOf(decider.family.context, request.command);
  if (failure.kind === 'wrong-revision') deps.commandMetrics.conflict(name);
  deps.commandMetrics.retried(name, failure.kind === 'fault' ? failure.code : 'conflict');
};
