import { type Fault, fault } from '../../../domain/kernel/rejection';

export const unavailable = (detail: string): Fault<'vault-unavailable'> => fault('vault-unavailable', detail);
