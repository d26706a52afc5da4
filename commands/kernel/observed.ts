/** A command on its way, seen from outside: its figures, and its span where something is traced. */
import type { EventStoreFault, WrongRevision } from '../../infra/ports/event-store';
import { type AnyResult, type CommandName, endOf, nameOf } from './figures';
import type { HandleDeps } from './request';

export const observed = async <Answer extends AnyResult>(
  { figures, trace }: HandleDeps,
  name: CommandName,
  run: () => Promise<Answer>,
): Promise<Answer> => {
  const began = performance.now();
  const spec = { name: `handle ${name.context}.${name.command}` };
  const result = await (trace === undefined ? run() : trace.during(spec, run, endOf));
  figures?.handled(name, result, performance.now() - began);
  return result;
};

/** Where the event will say it comes from. */
export const tracedBy = ({ trace }: HandleDeps): { readonly traceparent?: string } => {
  const traceparent = trace?.current()?.traceparent;
  return traceparent === undefined ? {} : { traceparent };
};

interface Told {
  readonly deps: HandleDeps;
  readonly decider: { readonly family: { readonly context: string } };
  readonly request: { readonly command: unknown };
}

/** An append that did not succeed, after which the command is looked at again. */
export const again = ({ deps, decider, request }: Told, failure: EventStoreFault | WrongRevision): void => {
  if (deps.figures === undefined) return;
  const name = nameOf(decider.family.context, request.command);
  if (failure.kind === 'wrong-revision') deps.figures.conflict(name);
  deps.figures.retried(name, failure.kind === 'fault' ? failure.code : 'conflict');
};
