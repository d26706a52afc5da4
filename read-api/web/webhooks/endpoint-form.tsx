/** Form of an endpoint: its address, event types and description. */
import { useState } from 'preact/hooks';
import type { CommandRequest } from '../../../packages/client/src/operations';
import { CheckboxList } from '../components/checkbox-list';
import { TextField } from '../components/form-fields';
import { FormDialog } from '../identity/shared/form-dialog';
import type { FieldTexts } from '../kernel/field-faults';
import type { WebhookEventType, WebhookSettings } from './api-types';

const eventTypes: readonly { readonly value: WebhookEventType; readonly description: string }[] = [
  { value: 'video.uploaded', description: 'The source of a video is stored.' },
  { value: 'video.ready', description: 'A video is processed completely.' },
  { value: 'video.failed', description: 'The processing of a video has failed.' },
  { value: 'security.alert', description: 'Detection has found an attack.' },
];

const isEventType = (value: string): value is WebhookEventType => eventTypes.some((type) => type.value === value);

const fields: FieldTexts = {
  texts: {
    '/body/url': 'Must be a public address that begins with https://, such as https://hooks.example.com/septet.',
    '/body/description': '',
  },
};

interface Props<Content> {
  readonly title: string;
  readonly act: string;
  readonly success?: string;
  readonly before?: WebhookSettings;
  readonly command: (settings: WebhookSettings) => CommandRequest<Content>;
  readonly onDone: (content: Content) => void;
  readonly close: () => void;
}

const noSettings: WebhookSettings = { url: '', eventTypes: [], description: '' };

export function EndpointForm<Content>({ before = noSettings, command, ...dialog }: Props<Content>) {
  const [url, setUrl] = useState(before.url);
  const [chosen, setChosen] = useState<readonly string[]>(before.eventTypes);
  const [description, setDescription] = useState(before.description);
  const settings = { url: url.trim(), eventTypes: chosen.filter(isEventType), description: description.trim() };
  return (
    <FormDialog
      {...dialog}
      command={() => command(settings)}
      fields={fields}
      check={() =>
        chosen.length > 0 ? [] : [{ pointer: '/body/eventTypes', text: 'Choose at least one event type.' }]
      }
    >
      {(faultAt) => (
        <>
          <TextField
            label="Address"
            help="Begins with https://. Events are posted there."
            fault={faultAt('/body/url')}
            value={url}
            onType={setUrl}
            maxLength={1_024}
            isRequired
          />
          <CheckboxList
            label="Event types"
            fault={faultAt('/body/eventTypes')}
            options={eventTypes}
            chosen={chosen}
            onChoose={setChosen}
          />
          <TextField
            label="Description"
            help="Optional. What the receiver does with them."
            fault={faultAt('/body/description')}
            value={description}
            onType={setDescription}
            maxLength={200}
          />
        </>
      )}
    </FormDialog>
  );
}
