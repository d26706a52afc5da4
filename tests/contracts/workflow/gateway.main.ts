/** The gateway with the context of workflows. */
import { contexts } from '../../../domain/contexts';
import type { Context } from '../../../domain/kernel/context';
import { context as workflow } from '../../../domain/workflow/context';

if (!contexts.some(({ name }) => name === workflow.name)) (contexts as Context[]).push(workflow);

// Loaded after the context is there: what derives from the manifests is made at loading.
const { runProcess } =
  require('../../../infra/server/runtime/service') as typeof import('../../../infra/server/runtime/service');
const { service } = require('../../../infra/gateway/main') as typeof import('../../../infra/gateway/main');

runProcess(service);
