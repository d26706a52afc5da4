/** An application as its own stream says now, or as it is built in. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { builtInApplication, type Home } from '../../../domain/identity/client/built-in';
import { client } from '../../../domain/identity/client/decider';
import type { Application, ClientState } from '../../../domain/identity/client/state';
import { clientStream } from '../../../domain/identity/streams';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import type { ClientName } from './client-name';

export type ClientSource = Home & StreamSource;

const registeredOr = (state: ClientState, { applicationId }: ClientName, home: Home): Application | undefined => {
  if (state.kind === 'registered') return state;
  const builtIn = builtInApplication(applicationId, home);
  return builtIn === undefined ? undefined : { ...builtIn, enabled: state.enabled };
};

/** Undefined: there is none. One that is disabled is answered as such. */
export const loadClient = async (
  source: ClientSource,
  name: ClientName,
): Promise<Either<EventStoreFault, Application | undefined>> => {
  const found = await loadStream(source, client, clientStream(name.tenantId, name.applicationId));
  if (isLeft(found)) return found;
  return right(registeredOr(found.right, name, source));
};
