import { type Channel, deliver, subscribe } from './channel';
import type { Words } from './line';
import type { End } from './message';

/** The channels of one socket, by the names they have on it. */
export const openChannels = () => {
  const channels = new Map<string, Channel>();
  let names = 0;
  return {
    add: (channel: Channel): string => {
      names += 1;
      const id = `s${names}`;
      channels.set(id, channel);
      return id;
    },
    remove: (id: string): boolean => channels.delete(id),
    count: () => channels.size,
    beginnings: (): readonly Words[] => [...channels].map(([id, channel]) => subscribe(id, channel)),
    /** The name of the one that is over with it, if one is. */
    tell: (words: Words, size: number): string | undefined => {
      const id = String(words.subscription);
      const channel = channels.get(id);
      return channel === undefined || deliver(channel, words, size) ? undefined : id;
    },
    finish: (how: End): void => {
      for (const { mailbox } of channels.values()) mailbox.finish(how);
      channels.clear();
    },
  };
};
