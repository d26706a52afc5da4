/** Reads pages for a group, one at a time and never within a call's turn, and hears the bell while there are consumers. */
import type { Bell } from '../bell';
import type { Input, Page } from './message';
import type { Source } from './source';

export interface Reads {
  readonly read: (source: Source, from: number, limit: number) => Promise<Page | undefined>;
  /** Hears of new events; of any until the stream has its first. */
  readonly follow: () => void;
  readonly unfollow: () => void;
  readonly stop: () => void;
}

export interface Reading {
  readonly source: Source;
  readonly bell: Bell;
  readonly feed: (input: Input) => void;
}

const everything = Symbol('everything');

export const createReads = ({ source, bell, feed }: Reading): Reads => {
  let followed: number | typeof everything | undefined;
  let leave: () => void = () => undefined;
  let stopped = false;
  const unfollow = (): void => {
    leave();
    leave = () => undefined;
    followed = undefined;
  };
  return {
    read: async (from, first, limit) => {
      await new Promise(setImmediate);
      return stopped ? undefined : from.page(first, limit);
    },
    follow: () => {
      const number = source.number();
      if (followed === (number ?? everything)) return;
      unfollow();
      followed = number ?? everything;
      leave = bell.follow(number, () => feed({ kind: 'rung' }));
    },
    unfollow,
    stop: () => {
      stopped = true;
      unfollow();
    },
  };
};
