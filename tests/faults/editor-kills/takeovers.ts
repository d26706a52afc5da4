/** Kills of copies at random moments, and how long it takes until everybody goes on. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Copies, Copy } from './editor-copies';
import type { Writer } from './writers';

/** `other`: the copy that is left takes the document. `back`: the dead one is started again at once. `both`: the next one dies, too. */
export type KillKind = 'other' | 'back' | 'both' | 'bystander';

export interface Takeover {
  readonly kind: KillKind;
  /** Milliseconds until something was acknowledged again, and until everybody had something acknowledged. */
  readonly first: number;
  readonly all: number;
}

export interface Killing {
  readonly copies: Copies;
  readonly documentId: string;
  readonly writers: readonly Writer[];
  readonly chance: () => number;
}

const longestMilliseconds = 90_000;

/** When the writer was acknowledged something, by a connection that was made since. */
const acknowledged = ({ name, onAcknowledged, acknowledgedOn }: Writer, since: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${name} did not go on`)), longestMilliseconds);
    onAcknowledged(() => {
      if (acknowledgedOn() <= since) return false;
      clearTimeout(timer);
      resolve(performance.now());
      return true;
    });
  });

/** Mostly while an edit is on its way, sometimes at any moment; exact to less than what an append takes. */
const someMoment = async (chance: () => number): Promise<void> => {
  const milliseconds = chance() < 0.7 ? chance() * 40 : chance() * 600;
  const until = performance.now() + milliseconds;
  if (milliseconds > 50) await sleep(milliseconds - 20);
  while (performance.now() < until) await new Promise(setImmediate);
};

const kindBy = (chance: number): KillKind => {
  if (chance < 0.65) return 'other';
  if (chance < 0.8) return 'back';
  return chance < 0.9 ? 'both' : 'bystander';
};

/** The one that has the document, and the other. */
const victims = async ({ copies, documentId }: Killing): Promise<readonly [Copy, Copy]> => {
  const [one, other] = copies.all;
  for (;;) {
    const holder = await copies.holderOf(documentId);
    if (holder === one.address) return [one, other];
    if (holder === other.address) return [other, one];
    await sleep(20);
  }
};

const measured = async ({ writers }: Killing, kind: KillKind, since: number): Promise<Takeover> => {
  // Clients of the other copy stay connected.
  const connected = kind === 'bystander' ? 0 : since;
  const each = writers.map((writer) => acknowledged(writer, connected));
  const [first, all] = await Promise.all([Promise.race(each), Promise.all(each)]).catch((error: unknown) => {
    const states = writers.map(({ name, engine, results }) => [name, results.length, engine.state()]);
    throw new Error(JSON.stringify(states), { cause: error });
  });
  return { kind, first: first - since, all: Math.max(...all) - since };
};

/** The first may be back, and have the document again, before the other dies. */
const killBoth = async (killing: Killing, [holder, next]: readonly [Copy, Copy]): Promise<Takeover> => {
  await holder.kill();
  const back = holder.comeBack();
  await sleep(killing.chance() * 3_000);
  const [successor] = await victims(killing);
  const since = performance.now();
  await next.kill();
  await Promise.all([back, next.comeBack()]);
  return measured(killing, successor === next ? 'both' : 'bystander', since);
};

/** Answers when everybody was acknowledged something after it, and both copies are there again. */
export const killOnce = async (killing: Killing): Promise<Takeover> => {
  const kind = kindBy(killing.chance());
  await someMoment(killing.chance);
  const [holder, other] = await victims(killing);
  if (kind === 'both') return killBoth(killing, [holder, other]);
  const victim = kind === 'bystander' ? other : holder;
  const since = performance.now();
  await victim.kill();
  const back = kind === 'back' ? victim.comeBack() : undefined;
  const takeover = await measured(killing, kind, since);
  await (back ?? victim.comeBack());
  return takeover;
};
