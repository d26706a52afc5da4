/** Notices that no byte of an exchange moved for some time. */

export interface IdleWatch {
  /** A byte moved. */
  readonly moved: () => void;
  readonly stop: () => void;
}

/** `milliseconds` undefined: nothing is watched. */
export const watchIdle = (milliseconds: number | undefined, idle: () => void): IdleWatch => {
  if (milliseconds === undefined) return { moved: () => undefined, stop: () => undefined };
  const timer = setTimeout(idle, milliseconds);
  return { moved: () => void timer.refresh(), stop: () => clearTimeout(timer) };
};
