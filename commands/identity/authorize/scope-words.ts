/** What a scope allows, as people are asked. A scope without words is shown as it is written. */
const acts: { readonly [act: string]: string } = { read: 'See', write: 'See and change' };

const things: { readonly [thing: string]: string } = {
  clients: 'applications and what they may ask for',
  documents: 'documents that you have a role in',
  grants: 'what people have allowed applications',
  platform: 'how the platform is doing',
  principals: 'people, pipelines and agents',
  security: 'security settings and events',
  sessions: 'who is signed in where',
};

const whole: { readonly [scope: string]: string } = {
  openid: 'Know who you are',
  profile: 'Know your name',
  email: 'Know your e-mail address',
  offline_access: 'Stay connected while you are away, until you take it back',
  'account:read': 'See where you are signed in, and what you have allowed applications',
  'account:write': 'Sign you out, and take back what you have allowed applications',
  'credentials:write': 'Make and revoke secrets of principals',
  'models:use': 'Use the models that your organisation pays for',
  'platform:write': 'Operate the platform',
  'tenant:write': 'Change what holds for everybody in your organisation, and sign everybody out',
  'privacy:write': 'Erase what is personal of somebody, for good',
};

const ofParts = (scope: string): string => {
  const [thing = '', act = ''] = scope.split(':');
  const [verb, words] = [acts[act], things[thing]];
  return verb === undefined || words === undefined ? scope : `${verb} ${words}`;
};

export const scopeInWords = (scope: string): string => whole[scope] ?? ofParts(scope);
