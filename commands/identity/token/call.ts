/** What a grant type is asked. */
import type { Instant } from '../../../domain/kernel/codec';
import type { Binding } from './binding';
import type { AuthenticatedClient } from './client';
import type { Parameters } from './form';

/** A request by a client that is known, and may use the grant type. */
export interface TokenCall {
  readonly parameters: Parameters;
  /** `resource` and `audience`, as often as they came. */
  readonly resources: readonly string[];
  readonly client: AuthenticatedClient;
  /** What the tokens are to be bound to, proved already. */
  readonly binding: Binding | null;
  readonly at: Instant;
  readonly requestId: string;
  readonly sourceIp: string | null;
}
