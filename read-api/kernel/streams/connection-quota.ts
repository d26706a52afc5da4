/** Limits concurrent streams in total, per tenant and per principal. */
export interface QuotaHolder {
  readonly tenantId: string;
  readonly principalId: string;
}

export interface QuotaLimits {
  readonly inAll: number;
  readonly ofOneTenant: number;
  readonly ofOnePrincipal: number;
}

export interface ConnectionQuota {
  /** The limit that is reached, if one is. */
  readonly exceeded: (who: QuotaHolder) => 'all' | 'tenant' | 'principal' | undefined;
  /** Takes one unit, after a check with `exceeded`, and returns its release. */
  readonly acquire: (who: QuotaHolder) => () => void;
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

export const createConnectionQuota = ({ inAll, ofOneTenant, ofOnePrincipal }: QuotaLimits): ConnectionQuota => {
  const [tenants, principals] = [counts(), counts()];
  let total = 0;
  const principal = ({ tenantId, principalId }: QuotaHolder): string => `${tenantId}.${principalId}`;
  const add = (who: QuotaHolder, by: number): void => {
    total += by;
    tenants.add(who.tenantId, by);
    principals.add(principal(who), by);
  };
  return {
    exceeded: (who) => {
      if (total >= inAll) return 'all';
      if (tenants.of(who.tenantId) >= ofOneTenant) return 'tenant';
      return principals.of(principal(who)) >= ofOnePrincipal ? 'principal' : undefined;
    },
    acquire: (who) => {
      let acquired = true;
      add(who, 1);
      return () => {
        if (acquired) add(who, -1);
        acquired = false;
      };
    },
  };
};
