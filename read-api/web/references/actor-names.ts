/** Actors of events that are no principals: parts of the system, called by what they do. */

const names: Readonly<Record<string, string>> = {
  'system:editor': 'Editor',
  'system:first-sign-in': 'First sign-in',
  'system:projector': 'Projector',
  'system:provisioning': 'Identity provider',
  'system:refresh-reuse': 'Refresh token reuse detection',
  'system:registration': 'Client registration',
  'system:restore': 'Restore of a backup',
  'system:signing-keys': 'Signing key rotation',
  'system:workflow-coordinator': 'Workflow coordinator',
};

const withoutDashes = (text: string): string => text.replaceAll('-', ' ');

/** Undefined: a principal, a client or a runner, which have names of their own. */
export const nameOfSystemActor = (actor: string): string | undefined => {
  if (Object.hasOwn(names, actor)) return names[actor];
  const [, kind, rest = ''] = /^(system:work\.|system:|process:|break-glass:)(.+)$/.exec(actor) ?? [];
  if (kind === undefined) return undefined;
  switch (kind) {
    case 'system:work.':
      return `Work queue ${withoutDashes(rest)}`;
    case 'system:':
      return `System: ${withoutDashes(rest)}`;
    case 'process:':
      return `Process ${rest}`;
    case 'break-glass:':
      return `Break-glass by ${rest}`;
    default:
      return undefined;
  }
};
