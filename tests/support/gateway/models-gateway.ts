/** The real gateway before a model service that is none, with a limiter of one's own. */
import { createModelProxy } from '../../../infra/gateway/models/handler';
import { createModelMetrics } from '../../../infra/gateway/models/metrics';
import { createModelBodyReader } from '../../../infra/gateway/models/request-body';
import { openModelUpstream } from '../../../infra/gateway/models/upstream';
import { openMetrics } from '../../../infra/server/runtime/metrics';
import type { Limiter } from '../../../packages/ratelimit/src/decision/decision';
import { type FakeModels, startFakeModels } from './fake-models';
import { startGatewayWithServices } from './gateway-services';

export interface ModelsGateway {
  readonly limiter: Pick<Limiter, 'check' | 'reserve' | 'settle'>;
  /** Where the model service is; one of the test's own where it is left out. */
  readonly url?: (models: FakeModels) => string;
  readonly bodies?: { readonly each: number; readonly together: number };
}

export const startModelsGateway = async ({ limiter, url, bodies }: ModelsGateway) => {
  const models = await startFakeModels();
  const upstream = openModelUpstream(url === undefined ? `${models.url}/base/v1/` : url(models), 'upstream-key');
  const metrics = openMetrics('gateway');
  const readBody = createModelBodyReader(bodies ?? { each: 1_000_000, together: 4_000_000 });
  const modelMetrics = createModelMetrics(metrics);
  const gateway = await startGatewayWithServices({
    models: (parts) => createModelProxy({ ...parts, limiter, upstream, readBody, metrics: modelMetrics }),
  });
  const scopes = ['models:use'];
  return {
    ...gateway,
    models,
    metrics,
    /** As callers write it for their client. */
    baseUrl: `${gateway.url}/llm/v1`,
    bearer: (changes: object = {}) => gateway.token({ scopes, ...changes }),
    send: (path: string, body: unknown, init: RequestInit = {}) =>
      fetch(`${gateway.url}/llm${path}`, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...init,
        headers: {
          authorization: `Bearer ${gateway.token({ scopes })}`,
          'content-type': 'application/json',
          ...init.headers,
        },
      }),
    close: async () => {
      await gateway.close();
      await upstream.close();
      await models.close();
    },
  };
};
