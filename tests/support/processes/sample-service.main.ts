/** The smallest service there can be, for tests of how services start and end. */
import { optional, variables } from '../../../infra/server/runtime/config';
import { runProcess, service } from '../../../infra/server/runtime/service';

const sample = service({
  name: 'sample',
  config: { PORT: variables.PORT, CURSOR_KEY: optional(variables.CURSOR_KEY) },
  start: async (_config, { env }) => {
    const open = setInterval(() => undefined, 1000);
    const closeNever = async (): Promise<void> => {
      process.send?.({ kind: 'draining' });
      await new Promise(() => undefined);
    };
    return {
      ready: async () => ({ ready: true, parts: {} }),
      close: env.SAMPLE_STUCK === undefined ? async () => clearInterval(open) : closeNever,
    };
  },
});

runProcess(sample);
