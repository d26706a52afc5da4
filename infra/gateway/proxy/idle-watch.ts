/** Notices that no byte of an exchange moved for some time. */

export interface IdleWatch {
  /** A byte moved. */
  readonly moved: () => void;
  readonly stop: () => void;
}

export const unwatched: IdleWatch = { moved: () => undefined, stop: () => undefined };

export const watchIdle = (milliseconds: number, idle: () => void): IdleWatch => {
  const timer = setTimeout(idle, milliseconds);
  return { moved: () => void timer.refresh(), stop: () => clearTimeout(timer) };
};
