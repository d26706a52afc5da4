/**
 * On a cluster, a script reaches only the keys of one hash tag. Limits of one request that have several are decided one tag after the
 * other, in the order in which they were asked for; when one of them refuses, or cannot be asked, what was taken before is given back.
 * A process that ends in between leaves it charged: less may pass than was allowed, never more.
 */
import type { Asked, Decided, Mode, Reservation } from './asked';
import type { Settled, Settlement } from './settle';
import { merged, type Part, partsFor, picked } from './tags';

export interface Scripts {
  readonly decide: (mode: Mode, id: string, asked: readonly Asked[]) => Promise<Decided>;
  readonly settle: (settlement: Settlement) => Promise<Settled>;
  readonly context: (reservation: string) => Promise<string | null>;
}

interface Taken {
  readonly reservation: string;
  readonly indexes: readonly number[];
}

type Taking = Exclude<Mode, 'peek'>;

/** Long enough to give back what was taken; afterwards nobody will. */
const undoMilliseconds = 10_000;

/** All but the last are taken as reservations, so that they can be given back. */
const elsewhereMode = (mode: Taking, id: string, { tag }: Part): Reservation =>
  typeof mode === 'string'
    ? { reservation: `{${tag}}:${id}`, milliseconds: undoMilliseconds, context: '' }
    : { ...mode, reservation: `{${tag}}:${mode.reservation}`, context: '' };

/** The reservation itself knows of what was taken elsewhere. */
const lastMode = (mode: Taking, taken: readonly Taken[]): Taking =>
  typeof mode === 'string' ? mode : { ...mode, context: `${JSON.stringify(taken)}\n${mode.context}` };

const readContext = (kept: string): readonly [taken: readonly Taken[], context: string] => {
  const end = kept.indexOf('\n');
  return [JSON.parse(kept.slice(0, end)) as readonly Taken[], kept.slice(end + 1)];
};

const giveBack = (scripts: Scripts, taken: readonly Taken[]): Promise<unknown> =>
  Promise.allSettled(
    taken.map(({ reservation, indexes }) => scripts.settle({ reservation, actual: indexes.map(() => 0), final: true })),
  );

const peekAt = async (scripts: Scripts, parts: readonly Part[], asked: readonly Asked[]): Promise<readonly Decided[]> =>
  Promise.all(parts.map((part) => scripts.decide('peek', '', picked(asked, part))));

interface Request {
  readonly mode: Taking;
  readonly id: string;
  readonly asked: readonly Asked[];
}

type Take = (request: Request, parts: readonly Part[], taken: Taken[]) => Promise<readonly Decided[]>;

/** Up to the first that does not admit. */
const takeBy =
  (scripts: Scripts): Take =>
  async ({ mode, id, asked }, parts, taken) => {
    const decided: Decided[] = [];
    const last = parts.length - 1;
    for (const [at, part] of parts.entries()) {
      const partMode = at === last ? lastMode(mode, [...taken]) : elsewhereMode(mode, id, part);
      // Before it is asked: an answer that is lost may have been a yes.
      if (at < last && typeof partMode !== 'string')
        taken.push({ reservation: partMode.reservation, indexes: part.indexes });
      const said = await scripts.decide(partMode, id, picked(asked, part));
      decided.push(said);
      if (said.outcome !== 'admitted') return decided;
    }
    return decided;
  };

const decideAcross = (scripts: Scripts): Scripts['decide'] => {
  const take = takeBy(scripts);
  return async (mode, id, asked) => {
    const parts = partsFor(mode, asked);
    if (mode === 'peek') return merged(parts, await peekAt(scripts, parts, asked));
    const taken: Taken[] = [];
    try {
      const decided = await take({ mode, id, asked }, parts, taken);
      const last = decided.at(-1);
      if (last === undefined || last.outcome === 'admitted') return merged(parts, decided);
      await giveBack(scripts, taken);
      const [before, after] = [parts.slice(0, decided.length - 1), parts.slice(decided.length)];
      const [given, others] = await Promise.all([before, after].map((some) => peekAt(scripts, some, asked)));
      return merged(parts, [...(given ?? []), last, ...(others ?? [])]);
    } catch (error) {
      await giveBack(scripts, taken);
      throw error;
    }
  };
};

const settleAcross =
  (scripts: Scripts): Scripts['settle'] =>
  async ({ reservation, actual, final }) => {
    const kept = await scripts.context(reservation);
    if (kept === null) return { outcome: 'unknown', changes: [] };
    const changes: number[] = actual.map(() => 0);
    const settle = async (part: Taken): Promise<Settled> => {
      const amounts = part.indexes.map((index) => actual[index]);
      const said = await scripts.settle({ reservation: part.reservation, actual: amounts, final });
      part.indexes.forEach((index, place) => {
        changes[index] = said.changes[place] ?? 0;
      });
      return said;
    };
    const [elsewhere] = readContext(kept);
    // The reservation itself last: until then, saying it again does what is left.
    for (const part of elsewhere) await settle(part);
    const others = new Set(elsewhere.flatMap(({ indexes }) => indexes));
    const own = [...actual.keys()].filter((index) => !others.has(index));
    return { outcome: (await settle({ reservation, indexes: own })).outcome, changes };
  };

export const openAcrossTags = (scripts: Scripts): Scripts => ({
  decide: decideAcross(scripts),
  settle: settleAcross(scripts),
  context: async (reservation) => {
    const kept = await scripts.context(reservation);
    return kept === null ? null : readContext(kept)[1];
  },
});
