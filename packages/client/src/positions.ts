/** Read your writes: the highest position that this client has done something at. */

export interface Positions {
  readonly highest: () => string | undefined;
  /** What is no position is not remembered. */
  readonly saw: (position: string | undefined) => void;
}

const positionShape = /^\d{1,20}$/;

export const openPositions = (): Positions => {
  let highest: bigint | undefined;
  return {
    highest: () => highest?.toString(),
    saw: (position) => {
      if (position === undefined || !positionShape.test(position)) return;
      const seen = BigInt(position);
      if (highest === undefined || seen > highest) highest = seen;
    },
  };
};
