/** Denies a single token by `jti`. */
import type { Either } from 'fp-ts/Either';
import { type DenialRejection, denial } from '../../../domain/identity/denylist/decider';
import { type DenialEvent, denialStream } from '../../../domain/identity/denylist/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { maxTokenSeconds } from '../../../packages/resource-server/src/verification/index';
import { handle } from '../../kernel/handle';
import type { HandleDeps, HandledCommand, HandleRequest, Refusal } from '../../kernel/handle-request';

export interface DeniedToken {
  readonly jti: string;
  /** Null: the latest possible expiry. */
  readonly expiresAt: Instant | null;
  readonly principalId: PrincipalId | null;
  readonly reason: string;
  readonly at: Instant;
}

export type CommandEnvelope = Pick<HandleRequest<never>, 'commandId' | 'actor' | 'correlationId' | 'fingerprint'> & {
  readonly tenant: TenantId;
};

/** Bounded by the maximum token lifetime: gateways keep denials in memory until then. */
const denialEndOf = ({ expiresAt, at }: DeniedToken): Instant => {
  const latest = plusSeconds(at, maxTokenSeconds);
  return expiresAt !== null && expiresAt < latest ? expiresAt : latest;
};

export const denyToken = (
  deps: HandleDeps,
  denied: DeniedToken,
  envelope: CommandEnvelope,
): Promise<Either<Refusal<DenialRejection>, HandledCommand<DenialEvent>>> => {
  const { jti, principalId, reason, at } = denied;
  const expiresAt = denialEndOf(denied);
  const stream = denialStream(envelope.tenant, { jti, expiresAt });
  return handle(deps, denial, {
    ...envelope,
    stream,
    command: { type: 'DenyToken', jti, expiresAt, principalId, reason, at },
  });
};
