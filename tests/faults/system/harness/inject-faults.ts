/** What is done to a store, and how it is undone. */
import { send } from '../../../../packages/data-directory/src/process-identity';
import type { StoreName, Stores } from './stores';

export const faults = ['killed', 'paused', 'slowed'] as const;
export type FaultName = (typeof faults)[number];

export type Undo = () => void;

const slowMilliseconds = 200;

const all: Readonly<Record<FaultName, (stores: Stores, name: StoreName) => Undo>> = {
  killed: ({ pids }, name) => {
    send(pids(name)[0] as number, 'SIGKILL');
    return () => undefined;
  },
  paused: ({ pids }, name) => {
    const stopped = pids(name);
    for (const pid of stopped) send(pid, 'SIGSTOP');
    return () => {
      for (const pid of stopped) send(pid, 'SIGCONT');
    };
  },
  slowed: ({ proxies }, name) => {
    proxies[name].slow(slowMilliseconds);
    return () => proxies[name].slow(0);
  },
};

export type InjectedFaults = readonly (readonly [StoreName, FaultName])[];

export const injectFaults = (stores: Stores, inflicted: InjectedFaults): Undo => {
  const undo = inflicted.map(([name, fault]) => all[fault](stores, name));
  return () => {
    for (const one of undo) one();
  };
};

export const named = (inflicted: InjectedFaults): string =>
  inflicted.map(([name, fault]) => `${name} ${fault}`).join(' and ');
