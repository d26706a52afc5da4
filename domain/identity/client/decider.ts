/** What may happen to a registered application. */
import { type Either, left, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { TenantId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { ApplicationId } from '../ids';
import { isBuiltIn } from './built-in';
import { type ClientEvent, type ClientMetadata, clients } from './events';
import { type Means, type MetadataFault, metadataFault } from './rules';
import { plain, says } from './said';
import {
  type IssueClientSecret,
  issueSecret,
  type RevokeClientSecret,
  revokeSecret,
  type SecretRejection,
  secretsOver,
  usesSecrets,
} from './secrets';
import { type Application, type ClientState, evolve } from './state';

export type { IssueClientSecret, RevokeClientSecret } from './secrets';

interface OfClient {
  readonly applicationId: ApplicationId;
}

export interface RegisterClient extends OfClient {
  readonly type: 'RegisterClient';
  readonly tenantId: TenantId;
  readonly metadata: ClientMetadata;
  readonly means: Means;
  readonly at: Instant;
}

export interface ChangeClient extends OfClient {
  readonly type: 'ChangeClient';
  readonly metadata: ClientMetadata;
  readonly means: Means;
}

export interface SwitchClient extends OfClient {
  readonly type: 'DisableClient' | 'EnableClient';
  readonly reason: string;
}

export type ClientCommand = RegisterClient | ChangeClient | IssueClientSecret | RevokeClientSecret | SwitchClient;

export type ClientRejection = MetadataFault['code'] | 'client-differs' | 'client-unknown' | SecretRejection;

type Decision = Either<Rejection<ClientRejection>, readonly ClientEvent[]>;

const rejected = ({ code, detail }: MetadataFault): Decision => left({ kind: 'rejection', code, detail });

const register = (command: RegisterClient, state: ClientState): Decision => {
  const { applicationId, tenantId, at: createdAt } = command;
  const metadata = plain(command.metadata);
  if (state.kind === 'registered')
    return says(state, metadata) ? right([]) : reject('client-differs', 'A client of this id says something else.');
  const fault = metadataFault(command.metadata, command.means);
  if (fault !== undefined) return rejected(fault);
  return right([{ type: 'ClientRegistered', data: { applicationId, tenantId, createdAt, ...metadata } }]);
};

const change = ({ applicationId, metadata: asked, means }: ChangeClient, state: Application): Decision => {
  const metadata = plain(asked);
  if (says(state, metadata)) return right([]);
  const fault = metadataFault(asked, means);
  if (fault !== undefined) return rejected(fault);
  const changed: ClientEvent = { type: 'ClientChanged', data: { applicationId, ...metadata } };
  return right([changed, ...(usesSecrets(metadata) ? [] : secretsOver(state))]);
};

const unknown = () => reject('client-unknown', 'There is no such client.');

const move = ({ type, applicationId, reason }: SwitchClient, state: ClientState): Decision => {
  if (state.kind === 'none' && !isBuiltIn(applicationId)) return unknown();
  if (state.enabled === (type === 'EnableClient')) return right([]);
  return right([
    { type: type === 'EnableClient' ? 'ClientEnabled' : 'ClientDisabled', data: { applicationId, reason } },
  ]);
};

const decide = (command: ClientCommand, state: ClientState): Decision => {
  if (command.type === 'RegisterClient') return register(command, state);
  if (command.type === 'DisableClient' || command.type === 'EnableClient') return move(command, state);
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
