/** How many calls of a model a tenant has at once: one tenant's questions do not take the model from all others. */

export interface TenantSlots {
  /** Undefined: the tenant has as many as it may. The result releases the slot; releasing it twice changes nothing. */
  readonly acquire: (tenant: string) => (() => void) | undefined;
}

export const createTenantSlots = (most: number): TenantSlots => {
  const taken = new Map<string, number>();
  return {
    acquire: (tenant) => {
      const count = taken.get(tenant) ?? 0;
      if (count >= most) return undefined;
      taken.set(tenant, count + 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        const left = (taken.get(tenant) ?? 1) - 1;
        if (left === 0) taken.delete(tenant);
        else taken.set(tenant, left);
      };
    },
  };
};
