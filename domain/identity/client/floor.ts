/** A client that was disabled gets no token back by being enabled: those from before stay over. */
import { skewSeconds } from '../tenant-security/decider';

/** The earliest `iat` that counts again. Both in milliseconds since 1970. */
export const floorOf = (disabledAt: number): number => disabledAt + skewSeconds * 1000;
