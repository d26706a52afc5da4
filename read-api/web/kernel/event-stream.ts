/** Follows a live stream and resumes after the last event when the connection breaks. */
import { follow, type StreamRequest } from '../../../packages/client/src/operations';
import { problemIn, septet } from './api-client';
import { type Problem, problemOf } from './problem';
import { untilPause } from './query-pause';

export type Liveness =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'waiting'; readonly problem: Problem | undefined };

interface Follower<Item> {
  readonly signal: AbortSignal;
  readonly onEvent: (data: Item) => void;
  readonly onState: (state: Liveness) => void;
}

/** Runs until the signal aborts, the person signs out, or reconnecting is pointless. */
export const followLive = async <Item>(
  request: StreamRequest<Item>,
  { signal, onEvent, onState }: Follower<Item>,
): Promise<void> => {
  const following = untilPause(signal);
  const events = follow(septet, request, {
    signal: following,
    onState: (state) => {
      if (state.kind !== 'waiting') onState(state);
      else onState({ kind: 'waiting', problem: state.error === undefined ? undefined : problemOf(state.error) });
    },
  });
  try {
    for await (const { data } of events) onEvent(data);
  } catch (error) {
    if (!following.aborted) onState({ kind: 'waiting', problem: problemIn(error) });
  }
};
