/** Client lifecycle: registered, changed, disabled, enabled; its secrets. */
import { type Either, left, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { TenantId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { ApplicationId } from '../ids';
import { isBuiltIn } from './built-in-clients';
import { type ClientEvent, type ClientMetadata, clients } from './events';
import {
  type CallerAuthority,
  checkMetadata,
  isSameMetadata,
  type MetadataFault,
  metadataFieldsOf,
} from './metadata-rules';
import {
  type IssueClientSecret,
  issueSecret,
  type RevokeClientSecret,
  revokeAllSecrets,
  revokeSecret,
  type SecretRejection,
  usesSecrets,
} from './secrets';
import { type Application, type ClientState, evolve } from './state';

export type { IssueClientSecret, RevokeClientSecret } from './secrets';

interface ClientCommandBase {
  readonly applicationId: ApplicationId;
}

export interface RegisterClient extends ClientCommandBase {
  readonly type: 'RegisterClient';
  readonly tenantId: TenantId;
  readonly metadata: ClientMetadata;
  readonly means: CallerAuthority;
  readonly at: Instant;
}

export interface ChangeClient extends ClientCommandBase {
  readonly type: 'ChangeClient';
  readonly metadata: ClientMetadata;
  readonly means: CallerAuthority;
}

export interface SwitchClient extends ClientCommandBase {
  readonly type: 'DisableClient' | 'EnableClient';
  readonly reason: string;
}

export type ClientCommand = RegisterClient | ChangeClient | IssueClientSecret | RevokeClientSecret | SwitchClient;

export type ClientRejection = MetadataFault['code'] | 'client-differs' | 'client-unknown' | SecretRejection;

type Decision = Either<Rejection<ClientRejection>, readonly ClientEvent[]>;

const rejected = ({ code, detail }: MetadataFault): Decision => left({ kind: 'rejection', code, detail });

const register = (command: RegisterClient, state: ClientState): Decision => {
  const { applicationId, tenantId, at: createdAt } = command;
  const metadata = metadataFieldsOf(command.metadata);
  if (state.kind === 'registered')
    return isSameMetadata(state, metadata)
      ? right([])
      : reject('client-differs', 'A client with this id exists with other metadata.');
  const fault = checkMetadata(command.metadata, command.means);
  if (fault !== undefined) return rejected(fault);
  return right([{ type: 'ClientRegistered', data: { applicationId, tenantId, createdAt, ...metadata } }]);
};

const change = ({ applicationId, metadata: requested, means }: ChangeClient, state: Application): Decision => {
  const metadata = metadataFieldsOf(requested);
  if (isSameMetadata(state, metadata)) return right([]);
  const fault = checkMetadata(requested, means);
  if (fault !== undefined) return rejected(fault);
  const changed: ClientEvent = { type: 'ClientChanged', data: { applicationId, ...metadata } };
  return right([changed, ...(usesSecrets(metadata) ? [] : revokeAllSecrets(state))]);
};

const unknown = () => reject('client-unknown', 'There is no such client.');

const switchStatus = ({ type, applicationId, reason }: SwitchClient, state: ClientState): Decision => {
  if (state.kind === 'none' && !isBuiltIn(applicationId)) return unknown();
  if (state.enabled === (type === 'EnableClient')) return right([]);
  return right([
    { type: type === 'EnableClient' ? 'ClientEnabled' : 'ClientDisabled', data: { applicationId, reason } },
  ]);
};

const decide = (command: ClientCommand, state: ClientState): Decision => {
  if (command.type === 'RegisterClient') return register(command, state);
  if (command.type === 'DisableClient' || command.type === 'EnableClient') return switchStatus(command, state);
  if (state.kind === 'none') return unknown();
  switch (command.type) {
    case 'ChangeClient':
      return change(command, state);
    case 'IssueClientSecret':
      return issueSecret(command, state);
    case 'RevokeClientSecret':
      return revokeSecret(command, state);
  }
};

export const client: Decider<ClientCommand, ClientState, ClientEvent, ClientRejection> = {
  family: clients,
  initial: { kind: 'none', enabled: true },
  evolve,
  decide,
};
