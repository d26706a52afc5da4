/** Every definition that an event of a repository starts becomes a run. */
import { policy, send } from '../../kernel/process';
import type { RunId, TriggerEventId } from '../ids';
import type { RunCommand } from '../run/commands';
import { type TriggerEvent, triggers } from '../trigger/events';

type RequestRun = Extract<RunCommand, { type: 'RequestRun' }>;

/** The same for a repeated delivery: an event names its definitions in an order that does not change. */
export const runIdOf = (eventId: TriggerEventId, index: number): RunId => `${eventId}-${index + 1}` as RunId;

const requestsOf = ({ data }: TriggerEvent): readonly RequestRun[] => {
  const { eventId, repoId, definitions, ...trigger } = data;
  return definitions.map(
    ({ version, inputs = trigger.inputs, priority = 0, runNumber = null, ...definition }, index) => ({
      type: 'RequestRun',
      runId: runIdOf(eventId, index),
      repoId,
      triggerEventId: eventId,
      priority,
      runNumber,
      ...definition,
      definitionVersion: version,
      ...trigger,
      inputs,
    }),
  );
};

export const startRunsOnTriggerReceived = policy({
  name: 'start-runs-on-trigger-received',
  context: 'workflow',
  subscribes: [triggers],
  startFrom: 'first-event',
  key: ({ entityId }) => entityId,
  answer: ({ event }) => requestsOf(event).map((command) => send('workflow.run', command.runId, command)),
});
