/** Follows registered principals until it has received the given number. */
import type { Client, FollowState } from '../../../packages/client/src/index';

interface Follower {
  /** Resolves once the follower receives every later event. */
  readonly live: Promise<void>;
  readonly events: Promise<readonly string[]>;
}

export const followPrincipals = (client: Client, transport: 'sse' | 'websocket', count: number): Follower => {
  let isLive: () => void = () => undefined;
  const live = new Promise<void>((resolve) => {
    isLive = resolve;
  });
  const onState = ({ kind }: FollowState): void => (kind === 'live' ? isLive() : undefined);
  const run = async (): Promise<readonly string[]> => {
    const ids: string[] = [];
    const events = client.followSecurityEvents({ type: 'PrincipalRegistered' }, { transport, onState });
    for await (const { data } of events) if (ids.push(data.principalId ?? 'nobody') === count) break;
    return ids;
  };
  return { live, events: run() };
};
