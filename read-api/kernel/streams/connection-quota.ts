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

export interface ExceededQuota {
  readonly of: 'all' | 'tenant' | 'principal';
  readonly limit: number;
}

export interface ConnectionQuota {
  /** The limit that is reached, if one is. */
  readonly exceeded: (holder: QuotaHolder) => ExceededQuota | undefined;
  /** Takes one unit, after a check with `exceeded`, and returns its release. */
  readonly acquire: (holder: QuotaHolder) => () => void;
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
  const add = (holder: QuotaHolder, by: number): void => {
    total += by;
    tenants.add(holder.tenantId, by);
    principals.add(principal(holder), by);
  };
  return {
    exceeded: (holder) => {
      if (total >= inAll) return { of: 'all', limit: inAll };
      if (tenants.of(holder.tenantId) >= ofOneTenant) return { of: 'tenant', limit: ofOneTenant };
      const isFull = principals.of(principal(holder)) >= ofOnePrincipal;
      return isFull ? { of: 'principal', limit: ofOnePrincipal } : undefined;
    },
    acquire: (holder) => {
      let acquired = true;
      add(holder, 1);
      return () => {
        if (acquired) add(holder, -1);
        acquired = false;
      };
    },
  };
};
