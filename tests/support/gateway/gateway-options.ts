/** What of a gateway on loopback a test may have otherwise. */

import type { Authentication } from '../../../infra/gateway/authentication/authenticate';
import type { Console, ConsoleOptions } from '../../../infra/gateway/bff/console';
import type { ExtAuthzOptions } from '../../../infra/gateway/ext-authz';
import type { ModelProxy, ModelProxyOptions } from '../../../infra/gateway/models/handler';
import type { PolicyCheckOptions } from '../../../infra/gateway/policy/policy-check';
import type { UpstreamOptions } from '../../../infra/gateway/proxy/upstreams';
import type { StepUp } from '../../../infra/gateway/step-up/step-up';
import type { AuthEventSink } from '../../../infra/ports/identity/auth-events';
import type { RefusedRequestRecorder } from '../../../infra/ports/identity/refused-requests';
import type { RefusalRecorder } from '../../../infra/ports/rate-limit-reports';
import type { AccountCookies } from '../../../infra/server/http/identity/account-cookies';
import type { ListenOptions } from '../../../infra/server/http/server/listener';
import type { Policy } from '../../../packages/ratelimit/src/policy/policy';
import type { LimitStore } from '../../../packages/ratelimit/src/store/limit-store';

export interface TestGateway {
  readonly commandsPort: number;
  readonly readApiPort: number;
  readonly blobsPort?: number;
  /** Of each copy of the editor, with commas between. */
  readonly editorUrl?: string;
  readonly ratelimitPort?: number;
  /** The services whose API documents the gateway loads; the command and query APIs when left out. */
  readonly documented?: 'all';
  readonly limits?: Partial<ListenOptions>;
  readonly upstream?: Partial<UpstreamOptions>;
  readonly bodyLimit?: number;
  readonly allowedOrigins?: readonly string[];
  /** Where people are led from other names of this machine. */
  readonly publicUrl?: string;
  readonly https?: boolean;
  /** Pages and sessions; without it the gateway has none. */
  readonly console?: (parts: Omit<ConsoleOptions, 'sessionStore' | 'publicUrl'>) => Console;
  /** The way to a model service; without it there is none. */
  readonly models?: (
    parts: Pick<ModelProxyOptions, 'authentication' | 'streams' | 'authEvents' | 'checkPolicy' | 'log'>,
  ) => ModelProxy;
  readonly leaving?: AbortSignal;
  /** Proofs, certificates, other addresses: what tokens may be bound to, and how that is seen. */
  readonly checks?: Partial<Authentication>;
  readonly extAuthz?: Omit<ExtAuthzOptions, 'authentication'>;
  /** Of people's own pages; without them no cookie passes. */
  readonly accountCookies?: AccountCookies;
  /** Without one nothing is limited. */
  readonly policy?: Policy;
  /** Where that counts; in this process when left out. */
  readonly limitStore?: LimitStore;
  readonly recordRefusal?: RefusalRecorder['record'];
  /** Of every refused request. */
  readonly recordRefused?: RefusedRequestRecorder['record'];
  /** Of every authorization decision. */
  readonly recordAuthEvent?: AuthEventSink['record'];
  readonly stepUp?: StepUp;
  /** Policies of tenants; without it there are none. */
  readonly tenantPolicies?: Pick<PolicyCheckOptions, 'policies'> & Partial<PolicyCheckOptions>;
  readonly trustedProxies?: readonly string[];
}
