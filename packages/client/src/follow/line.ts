/** One WebSocket: words of the protocol both ways, and an end when it closes, falls silent, or says what it should not. */
import { parsed } from '../answer';
import { NetworkError, TimeoutError, UnexpectedAnswerError } from '../errors';
import type { WebSocketLike } from '../platform';
import type { Session } from '../session';
import type { End } from './message';

export interface Words {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Line {
  readonly say: (words: Words) => void;
  /** Ends it without a word to the listener. */
  readonly close: () => void;
}

export interface Listener {
  readonly heard: (words: Words, size: number) => void;
  /** Once; nothing is heard after it. */
  readonly ended: (end: End) => void;
}

export const operation = 'followStreams';

const isWords = (content: unknown): content is Words =>
  typeof content === 'object' && content !== null && 'type' in content && typeof content.type === 'string';

/** Undefined when it is none of this protocol. */
const wordsIn = (data: unknown, limit: number): Words | undefined => {
  if (typeof data !== 'string' || data.length > limit) return undefined;
  try {
    const content = parsed(data);
    return isWords(content) ? content : undefined;
  } catch {
    return undefined;
  }
};

const foreign = (): End => {
  const detail = 'The socket told what is no message of its protocol.';
  return {
    kind: 'failed',
    error: new UnexpectedAnswerError({ reason: 'wrong-form', status: 101, detail }, { operation }),
  };
};

const closedBy = ({ code, reason }: { readonly code: number; readonly reason: string }, spoke: boolean): End => {
  if (spoke || reason !== '') return { kind: 'ended', code: reason || undefined, retryMilliseconds: undefined };
  const cause = new Error(`The socket closed with ${code} before it was open.`);
  return { kind: 'failed', error: new NetworkError({ operation, cause }) };
};

/** Pings when nothing was heard for a while; answers how to stop, and what is called whenever something was. */
const watchSilence = ({ platform: { now } }: Session, longest: number, [ping, silent]: [() => void, () => void]) => {
  let heardAt = now();
  const timer = setInterval(() => {
    const quiet = now() - heardAt;
    if (quiet > longest) silent();
    else if (quiet > longest / 3) ping();
  }, longest / 6);
  return {
    heard: () => {
      heardAt = now();
    },
    stop: () => clearInterval(timer),
  };
};

/** Takes the socket over; from then on it only says what it hears and how it ends. */
export const lineOn = (socket: WebSocketLike, [session, longest]: [Session, number], listener: Listener): Line => {
  let spoke = false;
  const stop = (): void => {
    silence.stop();
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  };
  const finish = (end: End): void => {
    stop();
    listener.ended(end);
  };
  const say = (words: Words): void => socket.send(JSON.stringify(words));
  const silence = watchSilence(session, longest, [
    () => (spoke ? say({ type: 'ping' }) : undefined),
    () => finish({ kind: 'failed', error: new TimeoutError(longest, { operation }) }),
  ]);
  socket.onmessage = ({ data }) => {
    silence.heard();
    spoke = true;
    const words = wordsIn(data, session.largestAnswerBytes);
    if (words === undefined) finish(foreign());
    else listener.heard(words, String(data).length);
  };
  socket.onclose = (closed) => finish(closedBy(closed, spoke));
  // What failed is told by the close that follows.
  socket.onerror = () => undefined;
  return { say, close: stop };
};
