/** APIs of the tenant that tokens are issued for, and the tools of each. */
import { useState } from 'preact/hooks';
import { listApis, listApiTools, removeApi, removeApiTool } from '../../../../packages/client/src/operations';
import type { KnownApi, KnownApiTool } from '../../../../packages/client/src/schemas';
import { EmptyState } from '../../components/empty-state';
import { Guide } from '../../components/guide';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { hasScope } from '../../kernel/permissions';
import { usePages } from '../../kernel/use-pages';
import { type ReasonedAction, RowButton, useActions } from '../shared/action-dialog';
import { TagList } from '../shared/display';
import { ApiDialog } from './api-dialog';
import { ToolDialog } from './tool-dialog';

const apiColumns: readonly Column<KnownApi>[] = [
  {
    title: 'API',
    show: ({ name, audience }) => (
      <>
        {name}
        <div class="below mono wraps">{audience}</div>
      </>
    ),
  },
  { title: 'Scopes', isWide: true, show: ({ scopes }) => <TagList words={scopes.map(({ name }) => name)} most={4} /> },
  { title: 'Registered', kind: 'tight', isWide: true, show: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

const agentsMay = ({ agentScopes, principalTypes, stepUp }: KnownApiTool): string => {
  if (!principalTypes.includes('AI_AGENT') || agentScopes.length === 0) return 'Agents may use nothing.';
  const approval = stepUp ? ', when a person approves it' : '';
  return `Agents may use ${agentScopes.join(', ')}${approval}.`;
};

const toolColumns: readonly Column<KnownApiTool>[] = [
  {
    title: 'Tool',
    show: (tool) => (
      <>
        <span class="mono wraps">{tool.tool}</span>
        <div class="below">{tool.description}</div>
        <div class="below">{agentsMay(tool)}</div>
      </>
    ),
  },
  { title: 'Needs', isWide: true, show: ({ requiredScopes }) => <TagList words={requiredScopes} most={4} /> },
];

const narrowing = 'Tokens that were issued last out their minutes.';

const removingApi = ({ apiId, name }: KnownApi): ReasonedAction => ({
  title: `Remove “${name}” and its tools?`,
  text: `No more tokens are issued for it. ${narrowing}`,
  act: 'Remove the API',
  success: 'The API was removed.',
  isDangerous: true,
  command: (reason) => removeApi({ apiId, body: { reason } }),
});

const removingTool = ({ apiId, tool }: KnownApiTool): ReasonedAction => ({
  title: `Remove the tool ${tool}?`,
  text: `Agents may use nothing of the API that no other tool lets them use. ${narrowing}`,
  act: 'Remove the tool',
  success: 'The tool was removed.',
  isDangerous: true,
  command: (reason) => removeApiTool({ apiId, tool, body: { reason } }),
});

interface ActionsProps<Row> {
  readonly nameOf: (row: Row) => string;
  readonly onChange: (row: Row) => void;
  readonly onRemove: (row: Row) => void;
}

const actionColumn = <Row,>({ nameOf, onChange, onRemove }: ActionsProps<Row>): Column<Row> => ({
  title: 'Actions',
  kind: 'tight',
  show: (row) => (
    <span class="row-actions">
      <RowButton label="Change" what={nameOf(row)} onPress={() => onChange(row)} />{' '}
      <RowButton label="Remove" what={nameOf(row)} isDangerous onPress={() => onRemove(row)} />
    </span>
  ),
});

const ToolList = ({ api, mayWrite }: { readonly api: KnownApi; readonly mayWrite: boolean }) => {
  const tools = usePages(listApiTools({ apiId: api.apiId, status: 'ACTIVE', limit: 50 }));
  const [opened, setOpened] = useState<{ readonly tool?: KnownApiTool }>();
  const { openDialog, dialog } = useActions(tools.reload);
  const actions = actionColumn<KnownApiTool>({
    nameOf: ({ tool }) => tool,
    onChange: (tool) => setOpened({ tool }),
    onRemove: (tool) => openDialog(removingTool(tool)),
  });
  return (
    <section class="section">
      <h2>Tools of {api.name}</h2>
      <PagedTable
        pages={tools}
        label={`Tools of ${api.name}`}
        one="tool"
        columns={mayWrite ? [...toolColumns, actions] : toolColumns}
        keyOf={({ tool }) => tool}
        empty={
          <EmptyState title="No tools yet">Without tools, agents may use all scopes that they are given.</EmptyState>
        }
        rows={2}
      />
      {mayWrite && (
        <p>
          <button type="button" class="button" onClick={() => setOpened({})}>
            Set a tool<span class="hidden-text"> of {api.name}</span>
          </button>
        </p>
      )}
      {dialog}
      {opened !== undefined && (
        <ToolDialog api={api} {...opened} done={tools.reload} close={() => setOpened(undefined)} />
      )}
    </section>
  );
};

export const ApisPage = () => {
  const apis = usePages(listApis({ status: 'ACTIVE', limit: 20 }));
  const [opened, setOpened] = useState<{ readonly api?: KnownApi }>();
  const { openDialog, dialog } = useActions(apis.reload);
  const mayWrite = hasScope('apis:write');
  const actions = actionColumn<KnownApi>({
    nameOf: ({ name }) => name,
    onChange: (api) => setOpened({ api }),
    onRemove: (api) => openDialog(removingApi(api)),
  });
  return (
    <>
      <PageHeading
        title="APIs and tools"
        lead="APIs of your own that Septet issues tokens for, and what agents may use of them."
      >
        {mayWrite && (
          <button type="button" class="button primary" onClick={() => setOpened({})}>
            Register an API
          </button>
        )}
      </PageHeading>
      <p>
        A token for an API has its scopes alone. <Guide name="agents#apis-and-tools" group="apis" />
      </p>
      <section class="section">
        <PagedTable
          pages={apis}
          label="APIs"
          one="API"
          columns={mayWrite ? [...apiColumns, actions] : apiColumns}
          keyOf={({ apiId }) => apiId}
          empty={
            <EmptyState title="No APIs yet">Register the URL of an API, and the scopes that it checks.</EmptyState>
          }
          rows={3}
        />
      </section>
      {(apis.items ?? []).map((api) => (
        <ToolList key={api.apiId} api={api} mayWrite={mayWrite} />
      ))}
      {dialog}
      {opened !== undefined && <ApiDialog {...opened} done={apis.reload} close={() => setOpened(undefined)} />}
    </>
  );
};
