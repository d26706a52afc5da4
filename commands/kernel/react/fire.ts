/** One timer, fired: its command sent, its refusal recorded. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import type { Timer } from '../../../infra/ports/timers';
import type { Bell } from './bell';
import type { Outcome } from './dispatch';
import { type Answering, settle } from './settle';
import type { Tracker } from './status';

export interface Firing {
  readonly answering: Answering;
  readonly tracker: Tracker;
  /** Rung when a timer was set. */
  readonly bell: Bell;
  /** All that was recorded before this run began is answered: what was cancelled there is cancelled. */
  readonly isReady: () => boolean;
  readonly signal: AbortSignal;
}

const Envelope = record('Envelope', {
  send: record('Send', { kind: t.literal('send'), to: t.string, id: t.string, command: t.unknown }),
  commandId: t.string,
  tenant: t.string,
  actor: t.string,
  correlationId: t.string,
  causationId: t.string,
  depth: t.Integer,
});
const Owner = record('Owner', {
  tenant: TenantId,
  instance: t.string,
  eventId: t.string,
  correlationId: t.string,
  depth: t.Integer,
});
const Body = record('TimerBody', { envelope: Envelope, owner: Owner }, { traceparent: t.string });
type Body = t.TypeOf<typeof Body>;

/** A trace of its own, which names the one that set the timer: that may have been weeks ago. */
const settled = (answering: Answering, { owner, envelope, traceparent: link }: Body): Promise<Outcome> => {
  const [{ trace }, { name }] = answering;
  const send = () => settle(answering, owner, envelope);
  if (trace === undefined || link === undefined) return send();
  const spec = { name: `timer ${name}`, kind: 'consumer', under: { link } } as const;
  return trace.during({ ...spec, requestId: owner.correlationId }, send, ({ kind }) =>
    kind === 'done' ? {} : { failed: kind },
  );
};

export const fire = async ({ answering, tracker }: Firing, timer: Timer): Promise<Outcome> => {
  const body = decode(Body, timer.body);
  if (isLeft(body)) {
    const { process, instance, id, key } = timer;
    answering[0].log?.error(
      { process, instance, id, key, faults: body.left },
      'a timer cannot be read and is given up',
    );
    return { kind: 'refused', code: 'timer-unreadable', detail: 'The timer cannot be read.' };
  }
  const outcome = await settled(answering, body.right);
  if (outcome.kind !== 'again') tracker.fired(Math.max(0, Date.now() - Date.parse(timer.at)) / 1000);
  return outcome;
};
