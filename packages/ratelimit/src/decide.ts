/** Asks the script, about what is there together, and gives up on what takes too long. */
import type { Asked, Decided, Mode, RunScript } from './asked';
import { batchOf, decisionsIn, type Request } from './batch';
import { openSteps, TooSlow } from './deadlines';

export type Decide = (mode: Mode, id: string, asked: readonly Asked[]) => Promise<Decided>;

export interface Gathering {
  /** Only keys of the same place may be in one script; left out, all may. */
  readonly placeOf?: (key: string) => string;
  /** Whoever has waited longer hears that it was too slow; what waits to be sent then, never is. Left out, all wait. */
  readonly longestMilliseconds?: number;
  /** Told what was decided for those who have heard that it was too slow. */
  readonly late?: (mode: Mode, decided: Decided) => void;
}

interface Waiting extends Request {
  readonly since: number;
  isOver: boolean;
  readonly resolve: (decided: Decided) => void;
  readonly reject: (error: unknown) => void;
}

/** A script of so many takes well under a millisecond, in which the store does nothing else. */
const mostAtOnce = 64;
/** While the store decides over some, the next ones gather; that there are several keeps neither side waiting for the other. */
const mostUnderWay = 4;

const answer = ({ late }: Gathering, requests: readonly Waiting[], decided: readonly Decided[]): void => {
  for (let index = 0; index < requests.length; index += 1) {
    const request = requests[index] as Waiting;
    const one = decided[index] as Decided;
    if (request.isOver) late?.(request.mode, one);
    else request.resolve(one);
    request.isOver = true;
  }
};

/** So that each script that may be under way has a share, and the store decides over one while the next is written. */
const shareOf = (waiting: number, underWay: number): number =>
  Math.min(mostAtOnce, Math.ceil(waiting / (mostUnderWay - underWay)));

/** Those of one place, from the front; the others stay. */
const nextOf = (waiting: Waiting[], most: number, placeOf: Gathering['placeOf']): readonly Waiting[] => {
  if (placeOf === undefined) return waiting.splice(0, most);
  const place = ({ asked: [first] }: Waiting): string => placeOf(first?.key ?? '');
  const here = place(waiting[0] as Waiting);
  const next = waiting.filter((one) => place(one) === here).slice(0, most);
  const taken = new Set(next);
  waiting.splice(0, waiting.length, ...waiting.filter((one) => !taken.has(one)));
  return next;
};

/** They stand in the order in which they came. */
const giveUp = (requests: readonly Waiting[], before: number): number => {
  let over = 0;
  for (const request of requests) {
    if (request.since >= before) break;
    over += 1;
    if (request.isOver) continue;
    request.isOver = true;
    request.reject(new TooSlow('No answer in time.'));
  }
  return over;
};

/**
 * Alone, a request is sent as soon as those that came with it are known; when many come, those that came while others are decided go
 * together.
 */
export const decide = (run: RunScript, gathering: Gathering = {}): Decide => {
  const waiting: Waiting[] = [];
  const underWay = new Set<readonly Waiting[]>();
  let isWoken = false;
  const steps = openSteps(gathering.longestMilliseconds, (before) => {
    waiting.splice(0, giveUp(waiting, before));
    for (const requests of underWay) giveUp(requests, before);
    return waiting.length > 0 || underWay.size > 0;
  });
  const wake = (): void => {
    if (isWoken || waiting.length === 0 || underWay.size >= mostUnderWay) return;
    isWoken = true;
    queueMicrotask(send);
  };
  const ask = async (requests: readonly Waiting[]): Promise<void> => {
    underWay.add(requests);
    try {
      const { keys, values } = batchOf(requests);
      answer(gathering, requests, decisionsIn((await run(keys, values)) as Buffer, requests));
    } catch (error) {
      for (const { reject } of requests) reject(error);
    }
    underWay.delete(requests);
    wake();
  };
  const send = (): void => {
    isWoken = false;
    while (underWay.size < mostUnderWay && waiting.length > 0)
      void ask(nextOf(waiting, shareOf(waiting.length, underWay.size), gathering.placeOf));
  };
  return (mode, id, asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ mode, id, asked, since: steps.now(), isOver: false, resolve, reject });
      wake();
    });
};
