/** A lease of a job: it is over when the service has not confirmed it in time, so that two runners never run one job. */

export interface Lease {
  /** The service granted `seconds` in its answer to a request of `sentAt` (`performance.now()`). */
  readonly confirm: (seconds: number, sentAt: number) => void;
  readonly close: () => void;
}

/** `marginMilliseconds` before the service's own deadline, `lost` is called once. */
export const openLease = (
  {
    seconds,
    sentAt,
    marginMilliseconds,
  }: { readonly seconds: number; readonly sentAt: number; readonly marginMilliseconds: number },
  lost: () => void,
): Lease => {
  let deadline = 0;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const arm = (): void => {
    clearTimeout(timer);
    timer = setTimeout(check, Math.max(0, deadline - performance.now()));
  };
  // A process that was frozen looks again when it goes on, at once.
  const check = (): void => {
    if (isOver) return;
    if (performance.now() < deadline) {
      arm();
      return;
    }
    isOver = true;
    lost();
  };
  const confirm: Lease['confirm'] = (more, at) => {
    if (isOver) return;
    // What comes after the deadline is too late: the service may have given the job to another.
    if (deadline !== 0 && performance.now() >= deadline) {
      check();
      return;
    }
    deadline = Math.max(deadline, at + more * 1_000 - marginMilliseconds);
    arm();
  };
  confirm(seconds, sentAt);
  return {
    confirm,
    close: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
};
