/** The rule of every storage quota: what open uploads reserve counts as what is stored. */
import { reject } from './rejection';

export interface StorageQuota {
  /** `the tenant`, `the owner`: for sentences. */
  readonly whose: string;
  readonly limitBytes: number;
  readonly usedBytes: number;
  /** By uploads that are open. */
  readonly reservedBytes: number;
}

/** Undefined: so many bytes more fit. `field` is the one with the size in the caller's request. */
export const refuseOverQuota = (
  { whose, limitBytes, usedBytes, reservedBytes }: StorageQuota,
  { bytes, field }: { readonly bytes: number; readonly field: string },
) => {
  const remaining = Math.max(0, limitBytes - usedBytes - reservedBytes);
  if (bytes <= remaining) return undefined;
  return reject(
    'storage-quota-exceeded',
    `${field}: of ${whose}'s ${limitBytes} bytes, ${usedBytes} are used and ${reservedBytes} reserved by open uploads; ${remaining} are left.`,
  );
};
