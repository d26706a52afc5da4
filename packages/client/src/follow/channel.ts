/** One stream on a shared socket: what is said to begin it, and what comes of the server's words. */
import { checked, unexpected } from '../answer';
import { problemIn } from '../refusal';
import type { Shape } from '../shape';
import { operation, type Words } from './line';
import type { Mailbox } from './mailbox';
import type { End, Message } from './message';

export interface Channel {
  readonly stream: string;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly after: string | undefined;
  readonly shape: Shape;
  readonly mailbox: Mailbox;
}

export const left: End = { kind: 'ended', code: undefined, retryMilliseconds: undefined };
/** Asked for again at once, behind what was taken. */
const behind: End = { kind: 'ended', code: 'behind', retryMilliseconds: 0 };

const came = { response: { status: 101, headers: new Headers() }, context: { operation } };

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const messageIn = ({ type, id, event, data }: Words, { shape }: Channel): Message | undefined => {
  if (type === 'ready' || type === 'checkpoint') return { kind: 'mark', isReady: type === 'ready', id: textOf(id) };
  if (type !== 'event') return undefined;
  return { kind: 'event', id: textOf(id) ?? '', event: textOf(event) ?? 'message', data: checked(shape, data, came) };
};

const problemOf = ({ problem }: Words): End => {
  if (problem === undefined) return left;
  const status = typeof problem === 'object' && problem !== null ? Number(Reflect.get(problem, 'status')) : 0;
  const told = { ...came, response: { ...came.response, status: Number.isInteger(status) ? status : 0 } };
  return {
    kind: 'failed',
    error: problemIn(problem, told) ?? unexpected(came, 'wrong-form', 'A refusal gives no reason.'),
  };
};

/** One message for one channel; answers false when the channel is over. */
export const deliver = (channel: Channel, words: Words, size: number): boolean => {
  const { mailbox } = channel;
  if (words.type === 'refused' || words.type === 'unsubscribed') {
    mailbox.finish(problemOf(words));
    return false;
  }
  try {
    const message = messageIn(words, channel);
    if (message === undefined || mailbox.put(message, size)) return true;
    mailbox.finish(behind);
  } catch (error) {
    mailbox.finish({ kind: 'failed', error });
  }
  return false;
};

export const subscribe = (id: string, { stream, filter, after }: Channel): Words => ({
  ...{ type: 'subscribe', id, stream, filter },
  ...(after === undefined ? {} : { after }),
});
