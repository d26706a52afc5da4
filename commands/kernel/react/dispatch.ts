/** Sends one command of a process and says what became of it. */
import { isLeft } from 'fp-ts/Either';
import { streamName, TenantId } from '../../../domain/kernel/ids';
import type { Send } from '../../../domain/kernel/process';
import type { HandleDeps, HandleRequest } from '../request';
import type { AnyTargets } from './bound';

/** A chain of commands and events longer than this goes round in circles. */
export const mostDepth = 16;

export interface Envelope {
  readonly send: Send;
  /** Derived: however often it is sent, it is one command. */
  readonly commandId: string;
  readonly tenant: string;
  readonly actor: string;
  readonly correlationId: string;
  readonly causationId: string;
  readonly depth: number;
}

export type Outcome =
  | { readonly kind: 'done' }
  /** The rules say no, and will say so again. */
  | { readonly kind: 'refused'; readonly code: string; readonly detail: string }
  /** The world says not now. */
  | { readonly kind: 'again'; readonly detail: string };

const refused = (code: string, detail: string): Outcome => ({ kind: 'refused', code, detail });

const requestOf = (envelope: Envelope, tenant: TenantId): HandleRequest<never> => {
  const { send, ...rest } = envelope;
  const [context = '', aggregate = ''] = send.to.split('.');
  // The id says it all: a job that was done twice may report other words the second time, and counts once.
  const fingerprint = [envelope.commandId, send.to, send.id];
  const stream = streamName({ context, aggregate, tenant, id: send.id });
  // Binding a process (`TargetsOf`) has checked that this target takes it; here targets of all commands stand together.
  return { ...rest, tenant, stream, command: send.command as never, fingerprint };
};

export const dispatch = async (deps: HandleDeps, targets: AnyTargets, envelope: Envelope): Promise<Outcome> => {
  const { send, depth, tenant } = envelope;
  if (depth > mostDepth) return refused('causation-too-deep', `Commands caused ${depth} times over are not sent.`);
  const target = Object.hasOwn(targets, send.to) ? targets[send.to] : undefined;
  if (target === undefined) return refused('target-unknown', `Nothing takes commands for ${send.to}.`);
  if (!TenantId.is(tenant)) return refused('tenant-unknown', 'The command is of no known tenant.');
  const handled = await target(deps, requestOf(envelope, tenant));
  if (!isLeft(handled)) return { kind: 'done' };
  const { kind, code, detail } = handled.left;
  // A stream that keeps changing settles; one that is too large stays so.
  const passes = code === 'conflict' || (kind === 'fault' && code !== 'event-refused');
  return passes ? { kind: 'again', detail } : refused(code, detail);
};
