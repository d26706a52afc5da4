/** The gateway, with a context of the tests beside the real ones. */
import { contexts } from '../../../../domain/contexts';
import type { Context } from '../../../../domain/kernel/context';
import { runProcess } from '../../../../infra/server/runtime/service';
import { transfersContext } from './context';

(contexts as Context[]).push(transfersContext);

// Loaded after the context is there: what derives from the manifests is made at loading.
const { service } = require('../../../../infra/gateway/main') as typeof import('../../../../infra/gateway/main');

runProcess(service);
