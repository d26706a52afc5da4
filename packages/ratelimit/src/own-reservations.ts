/** What this process reserved lately: a stream that settles as it goes need not ask the store each time what it is about. */

export interface OwnReservations {
  readonly put: (reservation: string, context: string) => void;
  readonly get: (reservation: string) => string | undefined;
  readonly forget: (reservation: string) => void;
}

/** The oldest are asked for again. */
const most = 10_000;

export const openOwnReservations = (): OwnReservations => {
  const contexts = new Map<string, string>();
  return {
    put: (reservation, context) => {
      const [oldest] = contexts.keys();
      if (contexts.size >= most && oldest !== undefined) contexts.delete(oldest);
      contexts.set(reservation, context);
    },
    get: (reservation) => contexts.get(reservation),
    forget: (reservation) => void contexts.delete(reservation),
  };
};
