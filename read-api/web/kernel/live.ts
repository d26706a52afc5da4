/** Follows one of our streams: comes back where it was, whatever became of the connection in between. */
import { contentOf, heard, sent } from './api';
import { type Problem, problemIn, unreachable } from './problem';

export type Liveness =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'waiting'; readonly problem: Problem | undefined };

export interface Following {
  readonly path: string;
  readonly signal: AbortSignal;
  readonly onEvent: (data: unknown) => void;
  readonly onState: (state: Liveness) => void;
}

interface Place {
  last: string | undefined;
  pause: number;
}

const shortestPause = 500;
const longestPause = 5_000;
const marks = new Set(['ready', 'checkpoint', 'end']);

const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
  });

const fieldsOf = (block: string): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    if (name === 'data' && fields.has('data')) fields.set('data', `${fields.get('data')}\n${value}`);
    else if (name !== '') fields.set(name, value);
  }
  return fields;
};

const take = (following: Following, at: Place, block: string): void => {
  const fields = fieldsOf(block);
  at.last = fields.get('id') ?? at.last;
  const event = fields.get('event') ?? 'message';
  const data = fields.get('data');
  if (event === 'ready') following.onState({ kind: 'live' });
  if (data !== undefined && !marks.has(event)) following.onEvent(JSON.parse(data));
};

const read = async (following: Following, at: Place, body: ReadableStream<Uint8Array>): Promise<void> => {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = `${rest}${value}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) take(following, at, block);
  }
};

/** Answers why it is over, if that is known. */
const once = async (following: Following, at: Place): Promise<Problem | undefined> => {
  const { path, signal } = following;
  const resume: Record<string, string> = at.last === undefined ? {} : { 'Last-Event-ID': at.last };
  try {
    const headers = { Accept: 'text/event-stream', ...resume };
    const response = await fetch(path, sent({ signal, headers }));
    if (!response.ok || response.body === null) return heard(problemIn(response, await contentOf(response)));
    at.pause = shortestPause;
    await read(following, at, response.body);
    return undefined;
  } catch {
    return unreachable;
  }
};

/** Until the signal; resolves then, or when there is no point in coming back. */
export const follow = async (following: Following): Promise<void> => {
  const { signal, onState } = following;
  const at: Place = { last: undefined, pause: shortestPause };
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    onState({ kind: 'connecting' });
    const problem = await once(following, at);
    if (isOver()) return;
    onState({ kind: 'waiting', problem });
    const { status = 0 } = problem ?? {};
    if (status >= 400 && status < 500 && status !== 429) return;
    await sleep(at.pause, signal);
    at.pause = Math.min(at.pause * 2, longestPause);
  }
};
