/** What the token exchange needs beside the token endpoint: keys of issuers, fetched from loopback, and a memory of used credentials. */
import type { WorkloadDeps } from '../../../commands/identity/token-exchange/exchange';
import { createIssuerKeyCache } from '../../../commands/identity/token-exchange/workload/issuer-keys';
import { openRemoteJson } from '../../../infra/adapters/remote/fetch-json';
import { memoryReplayCache } from '../../../packages/resource-server/src/dpop/replay-cache';

export const workloadDeps = (now: () => number = Date.now): WorkloadDeps => ({
  workloads: {
    keys: createIssuerKeyCache(openRemoteJson({ allowPrivate: true, allowPlainHttp: true }), now),
    credentials: memoryReplayCache(now),
    allowsPlainHttp: true,
  },
});
