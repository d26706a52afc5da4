/** Decides what happens next. Whatever a copy, a runner or a client waits for is a step here; random numbers decide when a step is taken. */
import type { SeededRandom } from '../../support/random/seeded-random';
import type { VirtualTime } from './virtual-time';

interface Step {
  readonly owner: string;
  readonly name: string;
  readonly take: () => void;
}

export interface Scheduler {
  /** The effect happens when the step is taken. Never resolves for an owner that crashed. */
  readonly step: <Value>(owner: string, name: string, effect: () => Value) => Promise<Value>;
  readonly crash: (owner: string) => void;
  readonly isCrashed: (owner: string) => boolean;
  readonly freeze: (owner: string) => void;
  readonly thaw: (owner: string) => void;
  /** One step, or a timer; false when there is neither. */
  readonly takeNext: (chanceOfTime: number) => Promise<boolean>;
  readonly note: (text: string) => void;
  readonly trace: readonly string[];
}

export const createScheduler = (random: SeededRandom, time: VirtualTime): Scheduler => {
  let waiting: Step[] = [];
  const [crashed, frozen] = [new Set<string>(), new Set<string>()];
  const trace: string[] = [];
  const note = (text: string): void => void trace.push(`${time.now().toFixed(0)} ${text}`);

  const takeStep = (): boolean => {
    const free = frozen.size === 0 ? waiting : waiting.filter(({ owner }) => !frozen.has(owner));
    if (free.length === 0) return false;
    const step = random.pick(free);
    waiting[waiting.indexOf(step)] = waiting.at(-1) as Step;
    waiting.pop();
    note(`${step.owner} ${step.name}`);
    step.take();
    return true;
  };
  return {
    step: (owner, name, effect) =>
      new Promise((resolve, reject) => {
        if (crashed.has(owner)) return;
        const take = (): void => {
          try {
            resolve(effect());
          } catch (error) {
            reject(error);
          }
        };
        waiting.push({ owner, name, take });
      }),
    crash: (owner) => {
      crashed.add(owner);
      waiting = waiting.filter((step) => step.owner !== owner);
    },
    isCrashed: (owner) => crashed.has(owner),
    freeze: (owner) => void frozen.add(owner),
    thaw: (owner) => void frozen.delete(owner),
    takeNext: async (chanceOfTime) => {
      const isTime = time.hasTimer() && random.chance(chanceOfTime);
      if (isTime || !takeStep()) {
        if (!time.hasTimer()) return false;
        time.fireNext();
      }
      await time.settle();
      return true;
    },
    note,
    trace,
  };
};
