/** Lets a share of each limit pass in this process while the store is away, and remembers what passed until that is used no longer. */
import type { Decided, LimitState, Reservation } from './asked';
import type { CallerLimits } from './caller-store';
import { openLocalBlocks } from './local-blocks';
import { type LocalReserved, openLocalReserved, type Taken } from './local-reserved';
import type { LocalState } from './local-state';
import { type LocalTable, nameOf, openLocalTable } from './local-table';
import type { AskedLocally, LocalLimits } from './store';

export interface LocalOptions {
  /** So many keys are known, and so many counted, at most; 20,000 when left out. */
  readonly keys?: number;
  /** In microseconds, and never backward; the process' own when left out. */
  readonly now?: () => number;
}

export interface LocalLimitsOfProcess extends LocalLimits {
  /** As of a `CallerStore`. */
  readonly block: (caller: CallerLimits, microseconds: number) => true;
  readonly reset: (caller: CallerLimits) => readonly number[];
  readonly sizes: () => ReturnType<LocalTable['sizes']> & { readonly reserved: number };
}

const keysDefault = 20_000;

const processTime = (): number => Math.floor(performance.now() * 1_000);

interface Look {
  readonly asked: AskedLocally;
  readonly state: LocalState;
  readonly said: LimitState;
}

const isHard = ({ asked: { limit } }: Look): boolean => limit.strictness === 'hard';

const turnOf = (looks: readonly Look[], now: number): number =>
  Math.max(0, ...looks.filter(isHard).map(({ state }) => state.turn(now)));

/** As they are without the request. */
const untaken = (looks: readonly Look[], now: number): readonly LimitState[] =>
  looks.map(({ state, said }) => (said.over ? said : state.check(0, now)));

interface Kept {
  readonly taken: readonly (Taken | undefined)[];
  readonly now: number;
}

const take = (looks: readonly Look[], now: number): readonly (Taken | undefined)[] =>
  looks.map(({ asked: { cost }, state, said }) =>
    said.over && cost > 0 ? undefined : { state, by: state.take(cost, now), cost },
  );

const keep = (reserved: LocalReserved, { reservation, milliseconds, context }: Reservation, one: Kept): void =>
  reserved.put(reservation, { taken: one.taken, context, until: one.now + milliseconds * 1_000, isSettled: false });

export const localLimits = ({
  keys = keysDefault,
  now: clock = processTime,
}: LocalOptions = {}): LocalLimitsOfProcess => {
  const table = openLocalTable(keys);
  const reserved = openLocalReserved(keys);
  const blocks = openLocalBlocks(keys);
  let ahead = Date.now() * 1_000 - clock();
  return {
    heard: (asked, { at, limits }) => {
      const now = clock();
      ahead = at - now;
      for (const [index, one] of asked.entries()) {
        const said = limits[index];
        if (said !== undefined) table.heard(nameOf(one), said, now);
      }
    },
    decide: (mode, _, asked): Decided => {
      const now = clock();
      const looks = asked.map((one): Look => {
        const state = table.stateOf(one, now);
        return { asked: one, state, said: blocks.applied(nameOf(one), state.check(one.cost, now), now) };
      });
      const at = now + ahead;
      if (looks.some((look) => look.said.over && isHard(look)))
        return { outcome: 'refused', at, turnMicroseconds: 0, limits: untaken(looks, now) };
      const turnMicroseconds = turnOf(looks, now);
      if (mode === 'peek') return { outcome: 'admitted', at, turnMicroseconds, limits: untaken(looks, now) };
      const taken = take(looks, now);
      if (typeof mode !== 'string') keep(reserved, mode, { taken, now });
      return { outcome: 'admitted', at, turnMicroseconds, limits: looks.map(({ said }) => said) };
    },
    context: (reservation) => reserved.get(reservation, clock())?.context,
    settle: (settlement) => reserved.settle(settlement, clock()),
    block: ({ key, limits }, microseconds) => {
      for (const limit of limits) blocks.set(nameOf({ key, limit }), microseconds, clock());
      return true;
    },
    reset: ({ key, limits }) =>
      limits.map((limit) => {
        blocks.delete(nameOf({ key, limit }));
        table.forget({ key, limit });
        return -1;
      }),
    sizes: () => ({ ...table.sizes(), reserved: reserved.size() }),
  };
};
