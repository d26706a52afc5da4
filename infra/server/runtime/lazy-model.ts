/** A model that a process opens when it is first needed: fetching it takes from seconds to minutes, and holding it takes memory. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { Log } from '../../ports/runtime/log';

interface Model {
  readonly model: string;
  /** Another one is set up, which could not be opened: this one is left when it can. */
  readonly isStandIn?: true;
  readonly close: () => Promise<void>;
}

export interface LazyModel<Opened extends Model> {
  /** Undefined: it is being opened, or cannot be. The call starts the opening, and another one where the last did not bring the model. */
  readonly current: () => Opened | undefined;
  readonly close: () => Promise<void>;
}

interface LazyModelOptions<Opened extends Model> {
  readonly open: (signal: AbortSignal) => Promise<Either<object, Opened>>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** The message where it cannot be opened. */
  readonly unavailable: string;
  /** Milliseconds, of a clock that only goes forward. */
  readonly now?: () => number;
}

/** Each try may download for minutes, so that the pauses between them grow. */
const [firstPause, longestPause] = [60_000, 3_600_000];

/** Where the model cannot be had, or something stands in for it, it is tried again, later and later; what stands in is used until then. */
export const openLazyModel = <Opened extends Model>({
  open,
  log,
  unavailable,
  now = () => performance.now(),
}: LazyModelOptions<Opened>): LazyModel<Opened> => {
  const closing = new AbortController();
  let opening: Promise<void> | undefined;
  let opened: Opened | undefined;
  let failures = 0;
  let retryAt = 0;
  const take = async (model: Opened): Promise<void> => {
    const before = opened;
    if (model.isStandIn === true && before !== undefined) return model.close();
    opened = model;
    if (before === undefined) return;
    log.info({ model: model.model }, 'a model takes the place of its substitute');
    await before.close();
  };
  const fail = (fields: object): void => {
    if (!closing.signal.aborted) log.warn({ ...fields }, unavailable);
  };
  const tryToOpen = async (): Promise<void> => {
    const found = await open(closing.signal);
    if (isLeft(found)) fail(found.left);
    else await take(found.right);
  };
  const start = (): void => {
    opening = tryToOpen()
      .catch((error: unknown) => fail({ error: String(error) }))
      .finally(() => {
        failures += 1;
        retryAt = now() + Math.min(firstPause * 2 ** Math.min(failures - 1, 30), longestPause);
        opening = undefined;
      });
  };
  const isSettled = (): boolean => opened !== undefined && opened.isStandIn !== true;
  return {
    current: () => {
      if (!isSettled() && opening === undefined && !closing.signal.aborted && now() >= retryAt) start();
      return opened;
    },
    close: async () => {
      closing.abort();
      await opening;
      await opened?.close();
    },
  };
};
