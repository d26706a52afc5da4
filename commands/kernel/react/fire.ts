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

const Body = record('TimerBody', {
  envelope: record('Envelope', {
    send: record('Send', { kind: t.literal('send'), to: t.string, id: t.string, command: t.unknown }),
    commandId: t.string,
    tenant: t.string,
    actor: t.string,
    correlationId: t.string,
    causationId: t.string,
    depth: t.Integer,
  }),
  owner: record('Owner', {
    tenant: TenantId,
    instance: t.string,
    eventId: t.string,
    correlationId: t.string,
    depth: t.Integer,
  }),
});

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
  const outcome = await settle(answering, body.right.owner, body.right.envelope);
  if (outcome.kind !== 'again') tracker.fired(Math.max(0, Date.now() - Date.parse(timer.at)) / 1000);
  return outcome;
};
