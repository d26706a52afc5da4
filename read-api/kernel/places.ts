/** How many may follow at once, in all and of one tenant, so that no tenant takes every place. */
export interface Places {
  /** Gives the place back; undefined when there is none. */
  readonly take: (tenantId: string) => (() => void) | undefined;
}

export const openPlaces = (inAll: number, ofOneTenant: number): Places => {
  const taken = new Map<string, number>();
  let total = 0;
  return {
    take: (tenantId) => {
      const own = taken.get(tenantId) ?? 0;
      if (total >= inAll || own >= ofOneTenant) return undefined;
      total += 1;
      taken.set(tenantId, own + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        total -= 1;
        const left = (taken.get(tenantId) ?? 1) - 1;
        if (left === 0) taken.delete(tenantId);
        else taken.set(tenantId, left);
      };
    },
  };
};
