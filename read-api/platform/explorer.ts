/** What the platform's queries are made of, and whose streams a caller may look at. */
import { parseStreamName } from '../../domain/kernel/ids';
import { type Problem, problem } from '../../infra/http/problem';
import type { Identity } from '../../infra/http/route';
import type { LogPages } from '../../infra/ports/stream-pages';
import type { Reading } from '../kernel/query';
import type { States } from './states';

export interface Explorer {
  readonly reading: Reading;
  readonly pages: LogPages;
  readonly states: States;
  /** The tenant whose principals operate the platform: they see the streams of all. */
  readonly operators: string;
}

/** In place of a tenant: all of them, and what is of none. */
export const everyTenant = '*';

/** One tenant, or `*`. */
export const audienceOf = ({ operators }: Pick<Explorer, 'operators'>, { tenantId }: Identity): string =>
  tenantId === operators ? everyTenant : tenantId;

/** What the system keeps for itself, users and their passwords among it, is nobody's to explore. */
const isSystem = (stream: string): boolean => stream.startsWith('$');

export const maySee = (audience: string, stream: string): boolean =>
  !isSystem(stream) && (audience === everyTenant || parseStreamName(stream)?.tenant === audience);

/** A stream that the caller may not see is answered for like one that is not there. */
export const noStream = (): Problem => problem('not-found', 'There is no such stream, or it is not yours to see.');
