/** How many may follow at once, in all, of one tenant and of one principal, so that nobody takes every place. */
export interface Who {
  readonly tenantId: string;
  readonly principalId: string;
}

export interface PlaceLimits {
  readonly inAll: number;
  readonly ofOneTenant: number;
  readonly ofOnePrincipal: number;
}

export interface Places {
  /** Whose limit is reached, if one is. */
  readonly full: (who: Who) => 'all' | 'tenant' | 'principal' | undefined;
  /** Takes a place, asked for before; answers how to give it back. */
  readonly take: (who: Who) => () => void;
}

const counts = () => {
  const taken = new Map<string, number>();
  return {
    of: (key: string): number => taken.get(key) ?? 0,
    add: (key: string, by: number): void => {
      const count = (taken.get(key) ?? 0) + by;
      if (count === 0) taken.delete(key);
      else taken.set(key, count);
    },
  };
};

export const openPlaces = ({ inAll, ofOneTenant, ofOnePrincipal }: PlaceLimits): Places => {
  const [tenants, principals] = [counts(), counts()];
  let total = 0;
  const principal = ({ tenantId, principalId }: Who): string => `${tenantId}.${principalId}`;
  const add = (who: Who, by: number): void => {
    total += by;
    tenants.add(who.tenantId, by);
    principals.add(principal(who), by);
  };
  return {
    full: (who) => {
      if (total >= inAll) return 'all';
      if (tenants.of(who.tenantId) >= ofOneTenant) return 'tenant';
      return principals.of(principal(who)) >= ofOnePrincipal ? 'principal' : undefined;
    },
    take: (who) => {
      let held = true;
      add(who, 1);
      return () => {
        if (held) add(who, -1);
        held = false;
      };
    },
  };
};
