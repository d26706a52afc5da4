/** What an administrator does with an endpoint. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import {
  type CommandRequest,
  changeWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
} from '../../../packages/client/src/operations';
import { ConfirmDialog } from '../components/confirm-dialog';
import type { Problem } from '../kernel/problem';
import { navigate } from '../kernel/router';
import { useCommand } from '../kernel/use-command';
import type { WebhookEndpoint } from './api-types';
import { EndpointForm } from './endpoint-form';
import { EndpointSecret } from './endpoint-secret';
import { webhooksPath } from './paths';

interface Confirmed {
  readonly label: string;
  readonly title: string;
  readonly text: ComponentChildren;
  readonly act: string;
  readonly isDangerous: boolean;
  readonly success: string;
  readonly onAct: () => Promise<Problem | undefined>;
}

interface Props {
  readonly endpoint: WebhookEndpoint;
  readonly done: () => void;
}

export const EndpointActions = ({ endpoint, done }: Props) => {
  const { endpointId, disabledReason } = endpoint;
  const [isChanging, setChanging] = useState(false);
  const [confirmed, setConfirmed] = useState<Confirmed>();
  const [secret, setSecret] = useState<string>();
  const send = useCommand();
  const acting =
    <Content,>(command: CommandRequest<Content>, onDone: (content: Content) => void) =>
    async (): Promise<Problem | undefined> => {
      const answer = await send(command);
      if (!answer.ok) return answer.problem;
      onDone(answer.content);
      return undefined;
    };
  const test: Confirmed = {
    label: 'Send a test event',
    title: 'Send a test event?',
    text: 'An event of the type webhook.test is sent once.',
    act: 'Send',
    isDangerous: false,
    success: 'The test event is on its way.',
    onAct: acting(testWebhookEndpoint({ endpointId }), done),
  };
  const rotate: Confirmed = {
    label: 'Rotate the secret',
    title: 'Rotate the secret?',
    text: 'For a day events are signed with the earlier secret, too, so that the receiver can change at any time.',
    act: 'Rotate',
    isDangerous: false,
    success: 'The secret is rotated.',
    onAct: acting(rotateWebhookSecret({ endpointId, body: {} }), (rotated) => {
      setSecret(rotated.secret);
      done();
    }),
  };
  const disable: Confirmed = {
    label: 'Disable',
    title: 'Disable the endpoint?',
    text: 'It gets no events until it is enabled, and deliveries that wait for an attempt are canceled.',
    act: 'Disable',
    isDangerous: true,
    success: 'The endpoint is disabled.',
    onAct: acting(disableWebhookEndpoint({ endpointId }), done),
  };
  const enable: Confirmed = {
    label: 'Enable',
    title: 'Enable the endpoint?',
    text: 'It gets the events that follow. Earlier ones are not sent.',
    act: 'Enable',
    isDangerous: false,
    success: 'The endpoint is enabled.',
    onAct: acting(enableWebhookEndpoint({ endpointId }), done),
  };
  const remove: Confirmed = {
    label: 'Remove',
    title: 'Remove the endpoint?',
    text: 'It gets no more events, and its secrets no longer sign. It cannot be restored.',
    act: 'Remove',
    isDangerous: true,
    success: 'The endpoint is removed.',
    onAct: acting(removeWebhookEndpoint({ endpointId }), () => navigate(webhooksPath)),
  };
  const actions = [test, rotate, disabledReason === null ? disable : enable, remove];
  return (
    <>
      <button type="button" class="button" onClick={() => setChanging(true)}>
        Change
      </button>
      {actions.map((action) => (
        <button
          key={action.label}
          type="button"
          class={action.isDangerous ? 'button danger' : 'button'}
          onClick={() => setConfirmed(action)}
        >
          {action.label}
        </button>
      ))}
      {isChanging && (
        <EndpointForm
          title="Change the endpoint"
          act="Save"
          success="The endpoint is changed."
          before={endpoint}
          command={(settings) => changeWebhookEndpoint({ endpointId, body: settings })}
          onDone={done}
          close={() => setChanging(false)}
        />
      )}
      {confirmed !== undefined && (
        <ConfirmDialog {...confirmed} close={() => setConfirmed(undefined)}>
          <p>{confirmed.text}</p>
        </ConfirmDialog>
      )}
      {secret !== undefined && <EndpointSecret secret={secret} close={() => setSecret(undefined)} />}
    </>
  );
};
