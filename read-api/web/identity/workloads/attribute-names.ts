/** Attributes and kinds of issuers as the console calls them. */
import type {
  KnownTrustCondition,
  WorkloadAttribute,
  WorkloadIssuerKind,
} from '../../../../packages/client/src/schemas';
import type { Option } from '../../components/form-fields';

export const kindNames: { readonly [kind in WorkloadIssuerKind]: string } = {
  github: 'GitHub Actions',
  gitlab: 'GitLab CI/CD',
  kubernetes: 'Kubernetes cluster',
  spiffe: 'SPIFFE trust domain',
  oidc: 'Another OpenID Connect issuer',
};

export const attributeNames: { readonly [attribute in WorkloadAttribute]: string } = {
  subject: 'Subject',
  repository: 'Repository',
  repositoryId: 'Repository id',
  owner: 'Owner',
  ownerId: 'Owner id',
  branch: 'Branch',
  tag: 'Tag',
  event: 'Event',
  workflow: 'Workflow',
  environment: 'Environment',
  deployment: 'Deployment',
  runner: 'Runner',
  cluster: 'Cluster',
  namespace: 'Namespace',
  serviceAccount: 'Service account',
};

export const attributeOptions: readonly Option<WorkloadAttribute>[] = (
  Object.keys(attributeNames) as WorkloadAttribute[]
).map((value) => ({ value, label: attributeNames[value] }));

/** `Branch is main`, `Repository is octo or below`. */
export const conditionText = ({ attribute, comparison, value }: KnownTrustCondition): string =>
  `${attributeNames[attribute]} is ${value}${comparison === 'path' ? ' or below' : ''}`;
